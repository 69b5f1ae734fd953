// Plays the only possible move after a short pause, unless the player prefers to press it; and one that the player keeps,
// for as long as what it follows from stays the same, even after other decisions between.
import { prefers } from "./preferences.js";
import { find } from "./received.js";
import { sure } from "./sure.js";
import { $, the } from "./ui.js";

const BEAT = 1200; // milliseconds to see which move it is
const LONGEST = 6000; // no kept decision takes longer
const TIMES = 8; // of the player's own decisions that are remembered
/** @type {HTMLElement | null} */
let soon = null;
let timer = 0;
let held = false; // they took a move back: now they press themselves
let passed = -1; // the version at which they stopped it
let since = 0; // when what can be decided now was first offered
let offered = -1; // at which version
/** @type {number[]} */
const times = []; // how long the player took for their last decisions
let automatic = false; // whether a press is the page's
/** @type {string | undefined} */
let kept; // what a decision that is kept follows from
const stopper = document.createElement("button");
stopper.className = "act keep";
stopper.innerHTML = "<span>Stop passing</span>";
stopper.addEventListener("click", () => keep());

const on = () => prefers("forced") !== "press";
const version = () => Number(the("main").dataset.version);

// The only possible move, null if there are several or none. Taking back counts as another.
function only() {
  if (!on() || passed === version() || $(".curtain, dialog[open], .guide:not([hidden]), .scene[data-lesson], .scene [data-undo]")) return null;
  const again = kept === undefined ? null : $(`.scene .act[data-keep="${CSS.escape(kept)}"]`);
  if (again || held) return again;
  const open = [...document.querySelectorAll(".scene :is([data-action], [data-part], [data-pick])")];
  const moves = new Set(open.map((node) => node.dataset.action ?? ""));
  return moves.size === 1 && !moves.has("") ? open.find((node) => node.matches(".act")) ?? open[0] : null;
}

// Others see when a decision comes. One that is kept takes a time that this player has taken, and so does not tell that it is.
function pause() {
  if (find("faster")) return BEAT; // only bots are at the table
  return times.length ? times[Math.floor(Math.random() * times.length)] : BEAT * (1 + 2 * Math.random());
}

/** @type {(same?: string) => void} */
function keep(same) {
  kept = on() ? same : undefined;
  force();
}

// Called after each change of the page.
export function force() {
  const other = $(".scene :is([data-action], [data-part], [data-pick])"), bar = $(".scene .acts"), node = only();
  const offer = $(".scene .act[data-keep]"), at = version();
  if (offer && offer.dataset.keep !== kept) kept = undefined; // something has changed
  if (other && offered !== at) [offered, since] = [at, performance.now()];
  if (kept === undefined || other) stopper.remove();
  else if (bar && bar.firstChild !== stopper) bar.prepend(stopper);
  if (node && node === soon && timer) return;
  stop();
  if (!node) return;
  soon = node;
  const after = node.dataset.keep === undefined ? BEAT : pause();
  node.style.animationDuration = `${after}ms`;
  node.classList.add("soon");
  timer = setTimeout(() => {
    stop();
    if (!node.isConnected || at !== version() || node !== only()) return;
    sure(node);
    automatic = true;
    node.click();
    automatic = false;
  }, after);
}

function stop() {
  clearTimeout(timer);
  soon?.classList.remove("soon");
  soon?.style.removeProperty("animation-duration");
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
  if (event.key !== "Escape" || !(timer || kept)) return;
  passed = version();
  stop();
  keep();
}, true);

// A decision that is to be kept, before press.js sends it; and how long the player took for any.
document.addEventListener("click", (event) => {
  const pressed = event.target.closest?.(".scene [data-action]");
  if (!pressed) return;
  if (!automatic) times.push(Math.max(BEAT, Math.min(LONGEST, performance.now() - since)));
  if (times.length > TIMES) times.shift();
  if (pressed.dataset.keep !== undefined) kept = on() ? pressed.dataset.keep : undefined;
}, true);

document.addEventListener("parlour:preferred", force);
for (const box of document.querySelectorAll("dialog")) box.addEventListener("close", force);
