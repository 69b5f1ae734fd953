// Where the focus goes when the page has changed.
import { focused } from "./keys.js";
import { find } from "./received.js";
import { $, the, visible } from "./ui.js";

/** @type {HTMLElement | null} */
let held = null;
let curtained = !!find("curtain");
let ended = !!$(".result");
addEventListener("focusin", (event) => (held = event.target));

// To what has appeared: the curtain, or the result.
export function meet() {
  const curtain = find("curtain");
  if (curtain && !curtained) the("h1", curtain).focus(); // not its button: a key meant for the move before must not lift it
  curtained = !!curtain;
  const result = $(".result h1");
  const idle = [document.body, $(".acts"), $(".board")].includes(focused());
  if (result && !ended && idle) result.focus(); // the next Tab is for what can be done now
  ended = !!result;
}

// If the focused element is gone, as buttons are at the end, focus moves to where the next decision is made.
export function keep() {
  const seen = held?.isConnected && visible(held);
  if (!held || seen || ![document.body, held].includes(focused())) return;
  held = null;
  [".curtain h1", ".result h1", ".acts", ".board"].map((one) => $(one)).find((one) => one && visible(one))?.focus();
}
