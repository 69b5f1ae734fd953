// The light of a great step: each part of the board in which nothing moves is dim meanwhile. Where nothing moves at all, the
// board itself draws breath. Loaded with the first such step, which brings what animates.

const DIM = 0.45, LASTS = 1000; // milliseconds

/** @typedef {(node: HTMLElement, frames: Keyframe[], options: KeyframeAnimationOptions & { duration: number }) => Promise<void>} Animate */
/** @type {(root: Element, actors: Element[], animate: Animate) => Promise<unknown>} */
export function light(root, actors, animate) {
  const board = root.querySelector(".board"), options = { duration: LASTS, easing: "ease-in-out" };
  if (!board || actors.some((one) => !one.isConnected)) return Promise.resolve();
  if (!actors.some((one) => board.contains(one))) {
    return animate(board, [{ filter: "none" }, { filter: "brightness(1.35)", offset: 0.25 }, { filter: "none" }], options);
  }
  const rest = [...board.querySelectorAll(":scope > *")].filter((part) => !actors.some((one) => part.contains(one)));
  const seats = [...root.querySelectorAll(".seat")].filter((seat) => !seat.classList.contains("active"));
  const frames = [{ opacity: 1 }, { opacity: DIM, offset: 0.2 }, { opacity: DIM, offset: 0.75 }, { opacity: 1 }];
  return Promise.all([...rest, ...seats].map((part) => animate(/** @type {HTMLElement} */ (part), frames, options)));
}
