// For fingers: a tap beside a small piece that can be pressed is a press on it. Each reaches as far as a square of 44 px
// round its middle, or to its own edges where they are farther; where two do, the nearer has it. What is under the finger
// and answers by itself comes first. A drag is no tap, as the browser never makes a click of it.
const REACH = 22;
const PIECES = ".scene .board :is([data-action], [data-part], [data-why])";
const ANSWERS = "button, a, summary, input, select, textarea, label, dialog, .bar";

let finger = false;
addEventListener("pointerdown", (event) => (finger = event.pointerType !== "mouse"), true);

// The piece that a tap at this place of the window means; null if there is none within reach.
export function meant(x, y) {
  let best = null, least = [Infinity, Infinity];
  for (const node of document.querySelectorAll(PIECES)) {
    const box = node.getBoundingClientRect(), wide = box.width / 2, high = box.height / 2;
    const right = Math.abs(x - box.left - wide), down = Math.abs(y - box.top - high);
    if (!box.width || right > Math.max(REACH, wide) || down > Math.max(REACH, high)) continue;
    const far = [Math.hypot(Math.max(0, right - wide), Math.max(0, down - high)), Math.hypot(right, down)];
    const nearer = far[0] < least[0] || (far[0] === least[0] && far[1] < least[1]);
    if (nearer && node.contains(document.elementFromPoint(box.left + wide, box.top + high))) [best, least] = [node, far];
  }
  return best;
}

document.addEventListener("click", (event) => {
  if (!finger || !event.isTrusted || !event.detail || !event.target.closest?.(".scene") || event.target.closest(ANSWERS)) return;
  const piece = meant(event.clientX, event.clientY);
  if (!piece) return;
  event.preventDefault();
  event.stopPropagation();
  piece.click();
}, true);
