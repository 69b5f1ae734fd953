// First steps, offered: when they come, and what waits for whoever reads them. The steps themselves are loaded then.
import { $, explain, remember, say } from "./ui.js";

const box = $("#guide");
const { game, ruleset, table } = $("main").dataset;
const name = `parlour-guide-${game}-${ruleset}`; // the table that they were begun at, or "seen"
const EARLY = 60; // steps of a game that are its beginning: a deal may take 42, others before one's first decision some 20
let steps = null, letGo = null, reading = null;

const playing = () => $("main").dataset.status === "playing" && !$(".curtain") && $(".bar");
const hurried = () => $(".clocks:not([data-slow]) [data-left]"); // then there is no time to read
const early = () => Number($("main").dataset.version) <= EARLY && [null, table].includes(remember(name));

// In the first game of each ruleset, at its beginning, to those who play it; `parlour-guide` = off: to nobody.
export function offer() {
  if (box?.hidden && playing() && "seated" in $('[data-key="table"]').dataset && !hurried() && early() && remember("parlour-guide") !== "off") start();
}

// Where nobody is pressed for time the board stands still behind them: until they are closed, or one moves.
export const read = () => reading;
export function release() {
  letGo?.();
  letGo = reading = null;
}

function close() {
  release();
  box.hidden = true;
}

// Their place is taken at once, unseen: from now on nothing else comes into view, or makes itself. `asked`: by a press.
function start(asked) {
  if (box.hidden) {
    release();
    if (!hurried()) reading = new Promise((resolve) => (letGo = resolve));
    box.style.visibility = "hidden";
    box.hidden = false;
  }
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
  $("main").removeAttribute("data-open");
  start(node);
});
