// A press ends all motion, after which its target may have moved or gone: the press counts if it is still possible.
import { BUTTON } from "./pieces.js";
import { meant } from "./reach.js";
import { $, say, the } from "./ui.js";

const AGO = 800; // milliseconds from pointer down to click; a later click is another press
const FREE = "a, summary"; // rules and folded parts can be opened during motion
/** @type {(key: string) => HTMLElement | null} */
const find = (key) => $(`.scene [data-key="${CSS.escape(key)}"]`);
/** @type {{ was: Aim | null, unseen: boolean, at: number } | null} */
let aim = null;

/** @type {(piece: HTMLElement | null) => Aim | null} */
function aimed(piece) {
  if (piece?.dataset.of) piece = find(piece.dataset.of); // a button that represents a piece
  if (!piece) return null;
  const { key = "", action, part } = piece.dataset;
  return { key, action, part, open: ["action", "part", "undo", "hint", "all"].some((one) => one in piece.dataset) };
}

// `busy` says whether anything is moving, `skip` ends it and says whether something was not seen yet, `press` presses.
// Returns the function that presses a piece for its key.
/** @param {{ busy: () => boolean, skip: () => boolean, press: (node: HTMLElement) => unknown }} how */
export function take({ busy, skip, press }) {
  /** @type {(was: Aim) => unknown} */
  function redo(was) {
    const node = find(was.key);
    if (node && node.dataset.action === was.action && node.dataset.part === was.part) return press(node);
    if (was.open) say(node ?? $(".scene .acts") ?? the("main"), "The position changed before you pressed. Look at it, and press again.");
  }
  /** @type {(piece: HTMLElement | null) => void} */
  const note = (piece) => (aim = { was: aimed(piece), unseen: skip(), at: performance.now() });
  document.addEventListener("pointerdown", ({ target, pointerType, clientX, clientY }) => {
    aim = null;
    if (!busy() || !target.closest?.(".scene") || target.closest(FREE)) return;
    note(target.closest(BUTTON) ?? (pointerType === "mouse" ? null : meant(clientX, clientY)));
  }, true);
  document.addEventListener("keydown", () => (aim = null), true); // a finger that scrolled never clicked: the key press counts as itself
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.(".scene")) return;
    const byKey = busy() && event.isTrusted && !event.detail && event.target.closest(BUTTON);
    if (byKey) note(byKey);
    const { was, unseen, at = 0 } = aim ?? {};
    aim = null;
    if ((!was && !unseen) || performance.now() - at > AGO) return;
    event.preventDefault();
    event.stopPropagation();
    if (was) redo(was);
  }, true);
  /** @type {(node: HTMLElement) => void} */
  return (node) => {
    if (!busy()) return node.click();
    const was = aimed(node);
    skip();
    if (was) redo(was);
  };
}
