// Asks for the sounds of what has just been shown. The band is loaded with the first press, before which browsers allow no
// sound. A page in the background is quiet.
import { volume } from "./preferences.js";

/** @type {Promise<typeof import("./band.js")> | null | undefined} */
let band;

// Played in a task of their own: building the first sounds takes as long as a layout.
/** @type {(names: string | undefined) => void} */
export function sounds(names) {
  if (!names || document.hidden || !document.hasFocus() || !volume()) return;
  band?.then(({ play }) => setTimeout(() => play(names, volume())));
}

function unlock() {
  if (!volume()) return;
  band ??= import("./band.js");
  band.then(({ wake }) => wake(), () => (band = null));
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, unlock, { capture: true, passive: true });
document.addEventListener("parlour:preferred", (event) => {
  if (/** @type {CustomEvent} */ (event).detail !== "volume") return;
  unlock();
  sounds("chip");
});
