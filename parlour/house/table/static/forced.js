// Plays the only possible move after a short pause, unless the player prefers to press it.
import { prefers } from "./preferences.js";
import { sure } from "./sure.js";
import { $, the } from "./ui.js";

const BEAT = 1200; // milliseconds to see which move it is
/** @type {HTMLElement | null} */
let soon = null;
let timer = 0;
let held = false; // they took a move back: now they press themselves
let passed = -1; // the version at which they stopped it

const on = () => prefers("forced") !== "press";
const version = () => Number(the("main").dataset.version);

// The only possible move, null if there are several or none. Taking back counts as another.
function only() {
  if (held || !on() || passed === version() || $(".curtain, dialog[open], .guide:not([hidden]), .scene[data-lesson], .scene [data-undo]")) return null;
  const open = [...document.querySelectorAll(".scene :is([data-action], [data-part], [data-pick])")];
  const moves = new Set(open.map((node) => node.dataset.action ?? ""));
  return moves.size === 1 && !moves.has("") ? open.find((node) => node.matches(".act")) ?? open[0] : null;
}

// Called after each change of the page.
export function force() {
  const node = only();
  if (node && node === soon && timer) return;
  stop();
  if (!node) return;
  soon = node;
  node.classList.add("soon");
  const at = version();
  timer = setTimeout(() => {
    stop();
    if (!node.isConnected || at !== version() || node !== only()) return;
    sure(node);
    node.click();
  }, BEAT);
}

function stop() {
  clearTimeout(timer);
  soon?.classList.remove("soon");
  timer = 0;
  soon = null;
}

// Called when a move was sent; `undo`: when one was taken back.
/** @type {(undo: boolean) => void} */
export function decided(undo) {
  held = undo;
  stop();
}

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !timer) return;
  passed = version();
  stop();
}, true);

document.addEventListener("parlour:preferred", force);
for (const box of document.querySelectorAll("dialog")) box.addEventListener("close", force);
