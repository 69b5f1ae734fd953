// For fingers: a tap beside a small piece counts for the nearest, and a tap between crowded pieces asks which was meant
// (near.js). The piece under the finger comes first. A drag is not a tap, as the browser sends no click for it.
import { ANSWERS, PIECES } from "./pieces.js";

/** @type {Place | null} */
let finger = null; // where it went down
/** @type {typeof import("./near.js") | null} */
let near = null;
const load = async () => (near ??= await import("./near.js"));
addEventListener("pointerdown", (event) => {
  finger = event.pointerType === "mouse" ? null : [event.clientX, event.clientY];
  if (finger) load();
}, true);

// The piece that a tap at this place of the window means, if it is one.
/** @type {(x: number, y: number) => HTMLElement | null} */
export function meant(x, y) {
  const found = near?.survey()(x, y) ?? [];
  return found.length === 1 ? found[0] : null;
}

document.addEventListener("click", async (event) => {
  if (!finger || !event.isTrusted || !event.detail || !event.target.closest?.(".scene")) return;
  const target = event.target.closest(ANSWERS), [x, y] = finger;
  if (target && !target.matches(PIECES)) return;
  const found = near?.survey()(x, y);
  if (found && (!found[0] || (found.length === 1 && found[0] === target))) return;
  event.preventDefault();
  if (found?.length === 1) {
    event.stopPropagation();
    return found[0].click();
  }
  event.stopImmediatePropagation(); // nothing is pressed yet
  const all = found ?? (await load().then(({ survey }) => survey()(x, y), () => (target ? [target] : [])));
  if (all.length < 2) all[0]?.click();
  else near?.ask(all, x, y);
}, true);
