// Animations show what happened: moves, rolls, turned cards, changed numbers. All of them can be cut short.
import { slowness, still } from "./preferences.js";

const PIECES = ".die, .gem, .token, .card";
const QUICK = 450; // milliseconds: the longest that anything takes, but for great steps
/** @type {Set<() => void>} */
const running = new Set();

export const quiet = () => still() || document.hidden;

// Where everything is, before a change.
/** @type {(root: Element) => Seen} */
export function look(root) {
  /** @type {Seen} */
  const seen = { places: new Map(), counts: new Map(), stacks: new Map() };
  for (const node of root.querySelectorAll(PIECES)) {
    if (node.dataset.key) seen.places.set(node.dataset.key, node.getBoundingClientRect());
  }
  for (const node of root.querySelectorAll("[data-count]")) seen.counts.set(node.dataset.key ?? "", Number(node.dataset.count));
  for (const top of root.querySelectorAll(".stack .top")) seen.stacks.set(key(top), height(top));
  return seen;
}

/** @type {(top: Element) => string} */
const key = (top) => top.closest(".stack")?.dataset.key ?? "";
/** @type {(top: Element) => number} */
const height = (top) => Number(top.textContent.replace(/\D/g, ""));

// Show what changed since `seen`; resolves when it is done or cut short. A great step takes about a second and has the
// whole table: what moves grows, and the rest of the board is dim meanwhile.
/** @type {(root: Element, seen: Seen, moment: string, great?: boolean) => Promise<unknown>} */
export function show(root, seen, moment, great = false) {
  if (quiet()) return Promise.resolve();
  stage = great ? STAGE : USUAL;
  /** @type {[node: HTMLElement, way: Way][]} */
  const ways = [];
  const lower = [...root.querySelectorAll(".stack .top")].filter((top) => height(top) < Number(seen.stacks.get(key(top))));
  const stack = lower.length === 1 ? lower[0].getBoundingClientRect() : null;
  let order = 0, dealt = 0;
  for (const node of root.querySelectorAll(PIECES)) {
    const from = seen.places.get(node.dataset.key ?? "");
    const tumbling = moment === "roll" && node.classList.contains("rolled");
    const way = tumbling ? tumble(node, from, order++)
      : node.classList.contains("turned") ? turn()
      : from ? walk(root, node, from) ?? move(node, from)
      : stack && node.classList.contains("card") ? deal(node, stack, dealt++) : null;
    if (way) ways.push([node, way]);
  }
  const actors = ways.map(([node]) => node);
  for (const node of root.querySelectorAll("[data-count]")) {
    const from = seen.counts.get(node.dataset.key ?? "");
    if (from !== undefined && from !== Number(node.dataset.count)) ways.push([node, SWELL]);
  }
  // Only now, as where things are is measured before: what moves would be styled again for each that is measured after it.
  /** @type {Promise<unknown>[]} */
  const all = ways.map(([node, { frames, options, ended }]) => animate(node, frames, options, ended?.()));
  latest = seen;
  if (great) all.push(import("./stage.js").then(({ light }) => latest === seen && running.size && light(root, actors, animate), () => {}));
  return Promise.all(all);
}

// How long things take beside their usual time, and how large what moves becomes.
const USUAL = { long: 1, grows: 1 }, STAGE = { long: 2.3, grows: 1.3 };
let stage = USUAL;
/** @type {Seen | null} */
let latest = null; // of the step that is shown now

// End all motion at once, as if it had been seen; always before the page is changed.
export function finish() {
  for (const end of [...running]) end();
}

// `ended` is called when it begins, and returns what follows its end.
/** @typedef {KeyframeAnimationOptions & { duration: number }} Times */
/** @typedef {{ frames: Keyframe[], options: Times, ended?: () => () => void }} Way */
/** @type {(node: HTMLElement, frames: Keyframe[], options: Times, ended?: () => void) => Promise<void>} */
function animate(node, frames, { duration, delay = 0, ...options }, ended) {
  const times = { duration: duration * slowness(), delay: delay * slowness() };
  const animation = node.animate(frames, { easing: "cubic-bezier(.2,.8,.3,1)", ...options, ...times });
  return new Promise((resolve) => {
    const end = () => {
      if (!running.delete(end)) return;
      animation.cancel();
      ended?.();
      resolve();
    };
    running.add(end);
    animation.onfinish = animation.oncancel = end;
  });
}

/** @type {(node: HTMLElement, from?: DOMRect) => { x: number, y: number, scale: number } | null} */
function delta(node, from) {
  const to = node.getBoundingClientRect();
  if (!from?.width || !to.width) return null;
  const zoom = node.currentCSSZoom ?? 1; // a board may be drawn smaller: see fit.js
  const x = (from.left - to.left) / zoom, y = (from.top - to.top) / zoom, scale = from.width / to.width;
  return Math.abs(x) + Math.abs(y) < 2 && Math.abs(scale - 1) < 0.02 ? null : { x, y, scale };
}

/** @type {(node: HTMLElement, from: DOMRect) => Way | null} */
function move(node, from) {
  const d = delta(node, from);
  if (!d) return null;
  const start = `translate(${d.x}px,${d.y}px) scale(${d.scale})`;
  const half = stage.grows > 1 ? [{ transform: `translate(${d.x * 0.2}px,${d.y * 0.2}px) scale(${stage.grows})`, zIndex: 3, offset: 0.6 }] : [];
  return { frames: [{ transform: start, zIndex: 3 }, ...half, { transform: "none", zIndex: 3 }], options: { duration: 320 * stage.long } };
}

// What is new comes from the stack that has become lower, one after another.
/** @type {(node: HTMLElement, stack: DOMRect, order: number) => Way | null} */
function deal(node, stack, order) {
  const d = delta(node, stack);
  if (!d) return null;
  const start = `translate(${d.x}px,${d.y}px) scale(${d.scale}) rotate(-10deg)`;
  const options = { duration: 340, delay: order * (stage.grows > 1 ? 55 : 14), fill: /** @type {const} */ ("backwards") };
  return { frames: [{ transform: start, zIndex: 3 }, { transform: "none", zIndex: 3 }], options };
}

// From place to place along `data-path`: the keys of the places it went through.
/** @type {(root: Element, node: HTMLElement, from: DOMRect) => Way | null} */
function walk(root, node, from) {
  const { path } = node.dataset, d = path && delta(node, from);
  if (!d) return null;
  const to = node.getBoundingClientRect(), x = to.left + to.width / 2, y = to.top + to.height / 2;
  const frames = [{ transform: `translate(${d.x}px,${d.y}px)`, zIndex: 3 }];
  const keys = path.split(" ");
  for (const stop of keys.slice(0, -1)) {
    const place = root.querySelector(`[data-key="${CSS.escape(stop)}"]`)?.getBoundingClientRect();
    if (!place) return null;
    const by = [place.left + place.width / 2 - x, place.top + place.height / 2 - y].map((far) => far / (node.currentCSSZoom ?? 1));
    frames.push({ transform: `translate(${by[0]}px,${by[1]}px)`, zIndex: 3 });
  }
  frames.push({ transform: "none", zIndex: 3 });
  const duration = Math.min(QUICK, 130 + 110 * keys.length) * stage.long;
  return { frames: frames.map((frame) => ({ ...frame, easing: "ease-in-out" })), options: { duration, easing: "linear" } };
}

/** @type {(node: HTMLElement, from: DOMRect | undefined, order: number) => Way} */
function tumble(node, from, order) {
  const d = delta(node, from) ?? { x: 0, y: 0, scale: 1 };
  const use = node.querySelector("use");
  const last = use?.getAttribute("href") ?? "";
  const faces = last.startsWith("#pips-") ? [1, 2, 3, 4, 5, 6].map((face) => `#pips-${face}`)
    : [...new Set([...document.querySelectorAll(".die use")].map((one) => one.getAttribute("href") ?? ""))];
  let n = order;
  const spin = (order % 2 ? 1 : -1) * (300 + 40 * order);
  const frames = [
    { transform: `translate(${d.x}px,${d.y}px) scale(${d.scale}) rotate(0)` },
    { transform: `translate(${d.x / 2 + 10}px,${d.y / 2 - 46}px) scale(${1.08 * stage.grows}) rotate(${spin / 2}deg)`, offset: 0.45 },
    { transform: `translate(0,4px) rotate(${spin * 0.98}deg)`, offset: 0.85 },
    { transform: `rotate(${spin > 0 ? 360 : -360}deg)` },
  ];
  const options = { duration: 380 * stage.long, delay: order * (stage.grows > 1 ? 28 : 10), fill: /** @type {const} */ ("backwards") };
  return { frames, options, ended() {
    const timer = use && setInterval(() => use.setAttribute("href", faces[n++ % faces.length]), 70);
    return () => {
      clearInterval(timer ?? undefined);
      use?.setAttribute("href", last);
    };
  } };
}

/** @type {() => Way} */
function turn() {
  const frames = [
    { transform: "perspective(60rem) rotateY(-100deg) scale(.9)", filter: "brightness(.5)" },
    { transform: `perspective(60rem) rotateY(12deg) scale(${stage.grows})`, filter: "none", offset: 0.75 },
    { transform: "none" },
  ];
  return { frames: frames.map((frame) => ({ ...frame, zIndex: 3 })), options: { duration: 420 * stage.long } };
}

// A number changes at once, and swells.
/** @type {Way} */
const SWELL = { frames: [{ transform: "none" }, { transform: "scale(1.2)", offset: 0.35 }, { transform: "none" }], options: { duration: 420 } };
