// First steps: when they are offered, and what waits while a player reads them. The steps themselves are loaded then.
import { $, explain, remember, say, the } from "./ui.js";

const box = the("#guide"); // null in a game without first steps, whose page starts none
const { game, ruleset, table = "" } = the("main").dataset;
const name = `parlour-guide-${game}-${ruleset}`; // the table where they began, or "seen"
const EARLY = 60; // steps that count as the beginning: a deal may take 42, moves before the first decision some 20
/** @type {typeof import("./steps.js") | null} */
let steps = null;
/** @type {(() => void) | null} */
let letGo = null;
/** @type {Promise<void> | null} */
let reading = null;

const playing = () => the("main").dataset.status === "playing" && !$(".curtain") && !!$(".bar");
const hurried = () => $(".clocks:not([data-slow]) [data-left]"); // no time to read
const early = () => Number(the("main").dataset.version) <= EARLY && [null, table].includes(remember(name));

// Offers them at the beginning of a player's first game of each ruleset; `parlour-guide` = off: never.
export function offer() {
  if (box?.hidden && playing() && "seated" in the('[data-key="table"]').dataset && !hurried() && early() && remember("parlour-guide") !== "off") start();
}

// Without live clocks the board waits behind them, until they are closed or the player moves.
export const read = () => reading;
export function release() {
  letGo?.();
  letGo = reading = null;
}

function close() {
  release();
  box.hidden = true;
}

// Takes their place at once, unseen, so that nothing else appears and no move is played automatically. `asked`: the
// button pressed.
/** @type {(asked?: HTMLElement) => void} */
function start(asked) {
  if (box.hidden) {
    release();
    if (!hurried()) reading = new Promise((resolve) => (letGo = resolve));
    box.style.visibility = "hidden";
    box.hidden = false;
  }
  /** @type {(loaded: typeof import("./steps.js")) => void} */
  const show = (loaded) => {
    steps = loaded;
    if (remember(name) === null) remember(name, table);
    steps.start(playing, () => (close(), remember(name, "seen")));
    if (asked) box.focus({ preventScroll: true });
  };
  if (steps) return show(steps);
  import("./steps.js").then(show, (problem) => {
    close();
    if (asked) say(asked, explain(problem));
  });
}

document.addEventListener("click", (event) => {
  const node = event.target.closest?.("[data-guide=start]");
  if (!node) return;
  node.closest("dialog")?.close();
  the("main").removeAttribute("data-open");
  start(node);
});
