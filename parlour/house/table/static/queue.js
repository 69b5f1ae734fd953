// Shows each position in order, with its motion.
import * as clock from "./clock.js";
import { fit } from "./fit.js";
import { read } from "./guide.js";
import { sounds } from "./hear.js";
import { mark } from "./keys.js";
import { listen, log } from "./log.js";
import { patch } from "./patch.js";
import { swap, updatePick } from "./picking.js";
import { slowness, still } from "./preferences.js";
import { base, main, part } from "./received.js";
import { calm } from "./sure.js";
import { $, wait } from "./ui.js";

const MOST_BEHIND = 12; // positions shown with their motion; earlier ones pass at once
/** @type {Position[]} */
export const queue = [];
export let shown = Number(main.dataset.version); // the version on the screen
export let busy = false;
/** @type {(seen?: unknown) => void} */
let wake = () => {};

// Motion is loaded with the first press, whose answer it then waits for, or with the first step that is shown before. Behind
// the first steps none is.
/** @type {typeof import("./motion.js") | null} */
let motion = null;
const moves = async () => void (motion ??= still() ? null : await import("./motion.js").catch(() => null));
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, moves, { capture: true, once: true, passive: true });
export const finish = () => motion?.finish();

// Queues positions. Of several that only repeat a version, because others have answered, the last is shown.
/** @param {Position[]} positions */
export function add(positions) {
  for (const one of positions) {
    const before = queue.at(-2)?.version ?? shown, last = queue.at(-1)?.version;
    if (before === one.version && last === one.version) one.log = /** @type {Position} */ (queue.pop()).log + one.log;
    queue.push(one);
  }
}

// Changes the board and the log, and returns where everything was, if it is going to move. Nothing is measured after
// that: see settle(). A position that is passed leaves only its lines in the log, and which pieces were chosen.
/** @type {(frame: Position, how?: "moves" | "passes") => Seen | undefined} */
function change(frame, how) {
  finish();
  calm();
  const scene = part("scene");
  swap(scene, frame.tree);
  const seen = how === "moves" ? motion?.look(scene) : undefined;
  if (how !== "passes") patch(scene, frame.tree);
  log(frame.log);
  moved(frame.version);
  clock.begin();
  return seen;
}

/** @type {(frame: Position) => Promise<unknown>} */
function show(frame) {
  const moving = frame.version !== shown, seen = change(frame, moving ? "moves" : undefined);
  settle();
  if (!moving) return Promise.resolve();
  sounds(frame.sounds);
  return motion && seen ? motion.show(part("scene"), seen, frame.moment, frame.great) : Promise.resolve();
}

/** @param {number} version */
export function moved(version) {
  shown = version;
  main.dataset.version = String(version);
}

// What follows whenever another scene is on the screen: first what changes it, then what measures it, so that it is laid out
// as seldom as possible. A position that passes, and offers nothing, needs no keys.
export function settle() {
  updatePick();
  clock.tick();
  if (!queue.length || $("[data-action]:not([data-undo]), [data-part]", part("scene"))) mark();
  fit(part("scene"));
  listen(queue.length > 0);
}

// The first of these, unless the player skips.
/** @type {(...ends: (Promise<unknown> | null)[]) => Promise<unknown>} */
const soonest = (...ends) => Promise.race([...ends, new Promise((resolve) => (wake = resolve))]);

// The next task of the browser, sooner than any timer.
const channel = new MessageChannel();
const task = () => new Promise((resolve) => {
  channel.port1.onmessage = resolve;
  channel.port2.postMessage(null);
});

// Shows what is queued, and then calls `then`, unless it is at it. Each position is a task of its own: the browser hands
// over several messages in one, and a press, or a paint, need not wait for all of them.
/** @param {() => void} then */
export async function run(then) {
  if (busy) return;
  busy = true;
  let asked = false;
  if (queue.length) await soonest(task());
  while (queue.length) {
    if (rushed) {
      rushed = false;
      jump(0);
      continue;
    }
    if (read()) {
      await soonest(read()); // skipping ends the reading
      if (!read()) jump(MOST_BEHIND);
      continue;
    }
    if (!motion && !asked && queue.some(({ version }) => version !== shown)) {
      asked = true;
      await soonest(moves());
      continue;
    }
    await soonest(show(/** @type {Position} */ (queue.shift())), wait(1500 * slowness()));
    if (queue.length) await soonest(task());
    const hold = Number(part("scene").dataset.hold ?? 0) * Math.min(1, Number(main.dataset.pace)) * slowness();
    if (hold && queue.length && !document.hidden) await soonest(wait(hold));
  }
  busy = false;
  await task(); // the rest of the page changes in a task of its own
  if (!busy) then();
}

// Until the reader has to decide, or the game is over, what comes is shown at once.
let hurried = false, rushed = false;
export function hurry() {
  hurried = true;
  skip();
}
export function hurrying() {
  const now = hurried, { turn, over } = /** @type {HTMLElement} */ (base.scene).dataset;
  hurried &&= !turn && !over;
  return now;
}

// Ends what moves now; what is queued passes at once, in a task of its own.
export function rush() {
  rushed = true;
  finish();
  wake();
}

// Shows the last of some positions.
/** @param {number} left positions that stay in the queue */
function jump(left) {
  if (queue.length <= left) return false;
  while (queue.length > left) {
    const frame = /** @type {Position} */ (queue.shift());
    change(frame, queue.length > left ? "passes" : undefined);
  }
  settle();
  return true;
}

// Quick bots must not leave the page in the past. Once for all messages that the browser hands over in a task.
let passing = false;
export function pass() {
  if (passing || queue.length <= MOST_BEHIND) return;
  passing = true;
  setTimeout(() => {
    passing = false;
    if (!read()) jump(MOST_BEHIND);
  });
}

// To the last position at once. True when there was something that had not been seen.
export function skip() {
  const unseen = jump(0);
  finish();
  wake();
  return unseen;
}
