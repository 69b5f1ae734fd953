// A press that makes a move is asked again where the person prefers that: before what ends their turn, or before every move.
import { prefers } from "./preferences.js";
import { $, say } from "./ui.js";

const WORDS = "Press again to confirm this move.";
const reason = () => $('.scene [data-key="reason"]');
let asked = null;

// Whether this press only asks. The next one on the same piece or button is meant.
export function unsure(node) {
  const wish = prefers("confirm"), again = node === asked;
  calm();
  if (again || !wish || "undo" in node.dataset || (wish === "end" && !("ends" in node.dataset))) return false;
  asked = node;
  node.classList.add("asked");
  say(reason() ?? node, WORDS);
  return true;
}

// It is meant: what makes itself is not asked again.
export function sure(node) {
  calm();
  asked = node;
}

export function calm() {
  asked?.classList.remove("asked");
  asked = null;
  if (reason()?.textContent === WORDS) reason().textContent = "";
}
