// Asks for a second press before a move, if the player prefers that: when it ends their turn, or always.
import { prefers } from "./preferences.js";
import { $, say } from "./ui.js";

const WORDS = "Press again to confirm this move.";
const reason = () => $('.scene [data-key="reason"]');
/** @type {HTMLElement | null} */
let asked = null;

// Returns whether this press only asks. The next one on the same piece or button counts.
/** @type {(node: HTMLElement) => boolean} */
export function unsure(node) {
  const wish = prefers("confirm"), again = node === asked;
  calm();
  if (again || !wish || "undo" in node.dataset || (wish === "end" && !("ends" in node.dataset))) return false;
  asked = node;
  node.classList.add("asked");
  say(node, WORDS);
  return true;
}

// Marks a press as confirmed: automatic moves are not asked again.
/** @type {(node: HTMLElement) => void} */
export function sure(node) {
  calm();
  asked = node;
}

export function calm() {
  asked?.classList.remove("asked");
  asked = null;
  const place = reason();
  if (place?.textContent === WORDS) place.textContent = "";
}
