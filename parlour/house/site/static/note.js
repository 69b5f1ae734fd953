// A refusal that is written farther from its cause than an eye looks, or has no room of its own, is drawn as a note at the
// cause until the next press or Escape. Loaded with the first press, before which nothing can be refused.
const BESIDE = 48; // pixels
/** @type {{ place: HTMLElement, near: Element } | null} */
let note = null;

// Draws what is written in `place` at `near`, unless it is beside it.
/** @type {(place: HTMLElement, near: Element) => void} */
export function point(place, near) {
  if (!("note" in place.dataset || far(near, place))) return;
  note = { place, near };
  stand();
}

/** @type {(near: Element, place: HTMLElement) => boolean} */
function far(near, place) {
  const it = near.getBoundingClientRect(), there = place.getBoundingClientRect();
  const gap = Math.max(there.top - it.bottom, it.top - there.bottom, there.left - it.right, it.left - there.right);
  return gap > BESIDE || there.bottom > innerHeight || there.top < 0;
}

// Draws the note above its cause, else below it, else over it, and inside the window.
function stand() {
  if (!note?.near.isConnected) return;
  const { place, near } = note, it = near.getBoundingClientRect();
  place.classList.remove("over", "under");
  place.classList.add("pointing");
  /** @type {(x: number, y: number) => unknown} */
  const move = (x, y) => Object.assign(place.style, { left: `${x}px`, top: `${y}px` });
  move(0, 0);
  const { left, top, width, height } = place.getBoundingClientRect(), [above, under] = [it.top - height - 12, it.bottom + 12];
  const side = above >= 4 ? "over" : under + height <= innerHeight - 4 ? "under" : "";
  const middle = it.left + it.width / 2, x = Math.max(8, Math.min(middle - width / 2, innerWidth - width - 8));
  const y = side === "over" ? above : side ? under : it.top + 8;
  move(x - left, Math.max(4, Math.min(y, innerHeight - height - 4)) - top);
  if (side) place.classList.add(side);
  place.style.setProperty("--tip", `${Math.max(14, Math.min(middle - x, width - 14))}px`);
}

export function clear() {
  if (note?.place.matches(".pointing")) {
    note.place.classList.remove("pointing", "over", "under");
    note.place.removeAttribute("style");
    note.place.textContent = "";
  }
  note = null;
}
addEventListener("pointerdown", ({ target }) => note?.place.contains(target) || clear(), true);
addEventListener("keydown", ({ key }) => key === "Escape" && clear(), true);
addEventListener("scroll", stand, { capture: true, passive: true });
addEventListener("resize", stand);
