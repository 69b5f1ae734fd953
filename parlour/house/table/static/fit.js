// Fits the table into a wide window: a board that is too tall is drawn smaller. It stays so until the window changes, so
// that nothing grows and shrinks from move to move.
const LEAST = 0.7; // below this the letters get too small, so the board scrolls
const wide = matchMedia("(min-width: 64rem)");
let sized = "", zoom = 1;

/** @type {(scene: HTMLElement | null) => void} */
export function fit(scene) {
  const board = scene?.querySelector(":scope > .board"), now = `${innerWidth} ${innerHeight}`;
  if (!scene || !board) return;
  if (sized !== now) [sized, zoom] = [now, 1];
  for (let tries = 0; tries < 4; tries++) {
    board.style.zoom = wide.matches && zoom < 1 ? String(zoom) : "";
    const over = scene.scrollHeight - scene.clientHeight, tall = board.getBoundingClientRect().height;
    if (!wide.matches || over < 1 || zoom <= LEAST) return;
    zoom = Math.max(LEAST, Math.floor((100 * zoom * (tall - over)) / tall) / 100);
  }
}

// Also when a reason or a hint makes the bar higher.
const scene = document.querySelector(".scene"), watch = new ResizeObserver(() => fit(scene));
for (const one of [scene, scene?.querySelector(".bar")]) if (one) watch.observe(one);
