// The first steps: a few sentences beside the things they explain, never in the way of playing. Loaded by guide.js.
import { $, the, visible } from "./ui.js";

const box = the("#guide"), steps = [...box.querySelectorAll("li")];
const GRID = 12;
const narrow = matchMedia("(max-width: 63.99rem)"), root = document.documentElement;
const ring = document.createElement("div");
ring.className = "guide-ring";
ring.setAttribute("aria-hidden", "true");
/** @type {Timer} */
let timer;
/** @type {Element | null} */
let from;
/** @type {Place | null} */
let put = null;
/** @type {[node: Element, left: number, top: number][]} */
let rolled = [];
/** @type {() => boolean} */
let playing;
/** @type {() => void} */
let closed;
let at = 0, stands = "";
the("main").before(box); // on a narrow page they replace its header

/** @type {() => HTMLElement | null} */
const target = () => {
  const about = steps[at].dataset.at;
  return about ? $(`.scene [data-key="${CSS.escape(about)}"]`) : null;
};

// Starts with the first one while `play` says that a game is on; `end` is called when they are closed.
/** @type {(play: () => boolean, end: () => void) => void} */
export function start(play, end) {
  if (timer) return go(0);
  [playing, closed] = [play, end];
  from = document.activeElement;
  document.body.append(ring);
  rolled = [root, ...document.querySelectorAll(".scene, .scene .board, .scene .board *")].map((node) => [node, node.scrollLeft, node.scrollTop]);
  timer = setInterval(place, 150); // the board moves under it
  addEventListener("scroll", place, true);
  go(0);
  if (!from || from === document.body || from.closest(".drawer, dialog")) box.focus({ preventScroll: true });
}

function stop() {
  const inside = box.contains(document.activeElement);
  clearInterval(timer);
  timer = undefined;
  removeEventListener("scroll", place, true);
  closed();
  delete root.dataset.guided;
  ring.remove();
  for (const [node, left, top] of rolled) node.scrollTo({ left, top, behavior: "instant" });
  if (inside) [/** @type {HTMLElement | null} */ (from), $(".acts"), $(".board")].find((one) => one?.isConnected && one !== document.body && visible(one))?.focus({ preventScroll: true });
}

/** @type {(step: number) => void} */
function go(step) {
  if (step >= steps.length) return stop();
  at = Math.max(0, step);
  steps.forEach((one, i) => (one.hidden = i !== at));
  the(".count", box).textContent = `First steps, ${at + 1} of ${steps.length}`;
  const back = the("[data-guide=back]", box);
  at ? back.removeAttribute("aria-disabled") : back.setAttribute("aria-disabled", "true");
  the("[data-guide=next] span", box).textContent = at + 1 === steps.length ? "Play" : "Next";
  put = null;
  if (!playing()) return;
  dock();
  const it = target();
  if (it && !it.closest(".bar")) it.scrollIntoView({ block: it.offsetHeight > innerHeight / 2 ? "start" : "nearest", inline: "nearest", behavior: "instant" });
  place();
}

// Docks them above a narrow page, and notes the room that they and the bar leave for scrolling.
function dock() {
  const bar = the(".bar").getBoundingClientRect();
  box.classList.toggle("docked", narrow.matches);
  root.dataset.guided = narrow.matches ? "docked" : ""; // :has() of the root would style all of the page with each change
  if (narrow.matches) box.style.left = box.style.top = "";
  root.style.setProperty("--guide-above", `${narrow.matches ? box.offsetHeight + 8 : 8}px`);
  root.style.setProperty("--guide-below", `${bar.left < innerWidth / 2 ? bar.height + 8 : 8}px`);
}

// Marks the thing; on a wide page moves beside it, where it covers nothing the player needs.
function place() {
  box.style.visibility = ring.style.visibility = playing() ? "" : "hidden";
  if (!playing()) return;
  dock();
  const thing = target(), it = thing?.getBoundingClientRect();
  ring.hidden = !it?.width;
  ring.style.zIndex = thing?.closest(".bar") ? "14" : "7"; // what scrolls under the bar is marked under it
  if (it?.width) Object.assign(ring.style, { top: `${it.top - 5}px`, left: `${it.left - 5}px`, width: `${it.width + 10}px`, height: `${it.height + 10}px` });
  if (narrow.matches) return;
  const wide = box.offsetWidth, high = box.offsetHeight;
  const now = [at, innerWidth, innerHeight, high, it && Math.round(it.left / 40), it && Math.round(it.top / 40)].join();
  const ways = obstacles(thing);
  if (now !== stands || !put || covered(...put, wide, high, ways.hard)) put = spot(it, wide, high, ways); // it stays where it is while it can
  stands = now;
  [box.style.left, box.style.top] = put.map((one) => `${one}px`);
}

// What the box must not cover (buttons, the hand, the thing it explains), and what it should avoid.
/** @type {(thing: HTMLElement | null) => Obstacles} */
function obstacles(thing) {
  /** @type {(selector: string) => DOMRect[]} */
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter((node) => !box.contains(node)).map((node) => node.getBoundingClientRect()).filter((one) => one.width && one.bottom > 0 && one.top < innerHeight);
  const hard = boxes(".site a, button, [role=button], summary, input, select, .bar, .hand, .hello, .net");
  if (thing) hard.push(thing.getBoundingClientRect());
  return { hard, soft: boxes(".seat, .board [data-key]:not(:has([data-key]))"), cloth: boxes(".board") }; // the log can wait
}

// The square pixels of these that the box would cover with its corner at x and y.
/** @type {(x: number, y: number, wide: number, high: number, all: Box[]) => number} */
function covered(x, y, wide, high, all) {
  let sum = 0;
  for (const one of all) {
    const across = Math.min(x + wide, one.right) - Math.max(x, one.left), down = Math.min(y + high, one.bottom) - Math.max(y, one.top);
    if (across > 0 && down > 0) sum += across * down;
  }
  return sum;
}

// The nearest place that covers nothing, else the one that covers least.
/** @type {(it: DOMRect | undefined, wide: number, high: number, ways: Obstacles) => Place} */
function spot(it, wide, high, { hard, soft, cloth }) {
  const grown = hard.map((one) => ({ left: one.left - 6, right: one.right + 6, top: one.top - 6, bottom: one.bottom + 6 }));
  /** @type {Place} */
  let best = [8, 8];
  let least = Infinity;
  for (let x = 8; x <= innerWidth - wide - 8; x += GRID) {
    for (let y = 8; y <= innerHeight - high - 8; y += GRID) {
      const apart = it?.width ? Math.hypot(Math.max(it.left - x - wide, x - it.right, 0), Math.max(it.top - y - high, y - it.bottom, 0)) : 0;
      const aside = it?.width ? Math.hypot(it.left + it.width / 2 - x - wide / 2, it.top + it.height / 2 - y - high / 2) / 8 : 0;
      let sum = apart + aside;
      if (sum < least) sum += 100 * covered(x, y, wide, high, grown);
      if (sum < least) sum += covered(x, y, wide, high, cloth) / 90;
      if (sum < least) sum += covered(x, y, wide, high, soft) / 100;
      if (sum < least) [best, least] = [[x, y], sum];
    }
  }
  return best;
}

document.addEventListener("click", (event) => {
  const what = event.target.closest?.("#guide [data-guide]")?.dataset.guide;
  if (what === "close") stop();
  else if (what) go(at + (what === "back" ? -1 : 1));
});
/** @type {Record<string, string>} */
const KEYS = { Escape: "close", ArrowRight: "next", ArrowLeft: "back" };
document.addEventListener("keydown", (event) => {
  if (!timer || event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (document.activeElement?.matches("input, textarea, select, [role=tab]")) return;
  const what = KEYS[event.key];
  if (!what) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  the(`[data-guide=${what}]`, box).click();
}, true);
