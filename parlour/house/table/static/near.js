// Resolves a tap to the nearest piece that can be pressed, within a square of 44 px around it. A piece whose neighbours
// leave no such square is crowded: a tap near it asks which one was meant, in their words and order, the nearest under
// the finger. Loaded with the first touch.
import { ANSWERS, PIECES } from "./pieces.js";
import { named } from "./told.js";
import { visible } from "./ui.js";

const SIZE = 44, HALF = SIZE / 2;
const LAST = 6; // pieces to ask about, at most

/** @type {(node: Element | null) => boolean} */
const isTurned = (node) => !!node && !node.matches(".board") && (getComputedStyle(node).rotate === "45deg" || isTurned(node.parentElement));

// The visible pieces that can be pressed: where each is, whether it is turned on its corner, and what it does, "" if it only
// says why not.
/** @type {() => Target[]} */
function pieces() {
  return [...document.querySelectorAll(PIECES)].flatMap((node) => {
    const { left, top, width, height } = node.getBoundingClientRect(), x = left + width / 2, y = top + height / 2;
    if (!width || !node.contains(document.elementFromPoint(x, y))) return [];
    const turned = isTurned(node.parentElement), { action, part, key } = node.dataset;
    const [wide, high] = turned ? [width * Math.SQRT1_2, height * Math.SQRT1_2] : [width, height];
    return [{ node, x, y, wide, high, turned, does: action ?? (part && key) ?? "", small: wide < SIZE || high < SIZE }];
  });
}

// Where whatever else answers to a tap is: the bar, and what opens or leads elsewhere.
/** @type {() => DOMRect[]} */
const rest = () => [...document.querySelectorAll(`.scene :is(${ANSWERS})`)].filter((node) => !node.matches(PIECES) && visible(node))
  .map((node) => node.getBoundingClientRect());

// How far a place is from a piece's middle, and from its edge, along its axes.
/** @type {(turned: boolean, right: number, down: number) => number[]} */
const along = (turned, right, down) => (turned ? [(right + down) * Math.SQRT1_2, (down - right) * Math.SQRT1_2] : [right, down]).map(Math.abs);
/** @type {(one: Target, x: number, y: number) => number[]} */
const away = (one, x, y) => along(one.turned, x - one.x, y - one.y).map((far, i) => Math.max(0, far - [one.wide, one.high][i] / 2));
/** @type {(one: Target, x: number, y: number) => number} */
const far = (one, x, y) => Math.hypot(...away(one, x, y));

// The piece nearest to a place; undefined if none is within reach.
/** @type {(all: Target[], x: number, y: number) => Target | undefined} */
function closest(all, x, y) {
  const near = all.filter((one) => away(one, x, y).every((beyond, i) => beyond <= Math.max(0, SIZE + 2 - [one.wide, one.high][i])));
  return near.sort((a, b) => far(a, x, y) - far(b, x, y) || Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))[0];
}

// The same for a tap, but the piece under the finger comes first.
/** @type {(all: Target[], x: number, y: number) => Target | undefined} */
function nearest(all, x, y) {
  const on = document.elementFromPoint(x, y), under = on?.closest(ANSWERS);
  return under || !on?.closest(".scene") ? all.find(({ node }) => node === under) : closest(all, x, y);
}

// Whether its neighbours, what else answers, and the window leave a piece a square, looked at in steps along its own axes.
// Browsers move the edges of an upright piece to whole pixels, so it needs nearly all of the 44 px.
const UPRIGHT = 5.49, TURNED = 5.4, FIVE = [-4, -2, 0, 2, 4], NINE = [0, -1, 1, -2, 2, -3, 3, -4, 4];
/** @type {(all: Target[], taken: DOMRect[], one: Target) => boolean} */
function roomy(all, taken, one) {
  if (!one.small) return true;
  /** @type {Map<number, boolean>} */
  const seen = new Map();
  const slant = one.turned ? Math.SQRT1_2 : 0, straight = one.turned ? Math.SQRT1_2 : 1, step = one.turned ? TURNED : UPRIGHT;
  /** @type {(i: number, j: number) => boolean} */
  const mine = (i, j) => {
    const x = one.x + step * (straight * i - slant * j), y = one.y + step * (slant * i + straight * j), key = 99 * i + j;
    const free = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
      && !taken.some(({ left, top, right, bottom }) => x >= left && x < right && y >= top && y < bottom);
    const found = () => free && closest(all, x, y)?.does === one.does;
    const known = seen.get(key) ?? found();
    seen.set(key, known);
    return known;
  };
  return NINE.some((j) => NINE.some((i) => FIVE.every((down) => FIVE.every((right) => mine(i + right, j + down)))));
}

// Surveys the board now. Returns a function from a place in the window to the pieces that a tap there may mean, nearest
// first: none, one, or several to choose from.
/** @type {() => (x: number, y: number) => HTMLElement[]} */
export function survey() {
  /** @type {Map<Target, boolean>} */
  const known = new Map();
  const all = pieces(), taken = rest();
  /** @type {(one: Target) => boolean} */
  const crowded = (one) => {
    const is = known.get(one) ?? !roomy(all, taken, one);
    known.set(one, is);
    return is;
  };
  /** @type {(middle: number, to: number, edge: number) => boolean} */
  const within = (middle, to, edge) => Math.abs(to - Math.min(Math.max(middle, HALF), edge - HALF)) <= HALF;
  /** @type {(one: Target, x: number, y: number) => boolean} */
  const round = (one, x, y) => within(one.x, x, innerWidth) && within(one.y, y, innerHeight); // in the square round its middle
  return (x, y) => {
    /** @type {Map<string, HTMLElement>} */
    const found = new Map();
    const best = nearest(all, x, y);
    if (!best) return [];
    const near = all.filter((one) => one.does && one.small && Math.max(...away(one, x, y)) <= HALF);
    const asks = best.does && crowded(best), others = near.filter((one) => asks || (round(one, x, y) && crowded(one)));
    for (const one of [best, ...others.sort((a, b) => far(a, x, y) - far(b, x, y))]) if (!found.has(one.does)) found.set(one.does, one.node);
    return [...found.values()].slice(0, LAST);
  };
}

const dialog = document.createElement("dialog");
dialog.className = "which";
dialog.setAttribute("aria-label", "Which one?");
document.body.append(dialog);
dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
dialog.addEventListener("close", () => {
  for (const one of document.querySelectorAll(".meant")) one.classList.remove("meant");
});

/** @type {(node: HTMLElement) => HTMLButtonElement} */
function row(node) {
  const made = document.createElement("button"), { action, part } = node.dataset;
  made.className = "act";
  made.append(named(node));
  made.dataset.of = node.dataset.key;
  made.addEventListener("click", () => {
    dialog.close();
    if (node.isConnected && node.dataset.action === action && node.dataset.part === part) node.click(); // not what came since
  });
  return made;
}

// Asks which piece was meant; the first is the nearest to the tap.
/** @type {(nodes: HTMLElement[], x: number, y: number) => void} */
export function ask(nodes, x, y) {
  /** @type {(node: Element) => DOMRect} */
  const place = (node) => node.getBoundingClientRect();
  const sorted = nodes.toSorted((a, b) => place(a).top - place(b).top || place(a).left - place(b).left), rows = sorted.map(row);
  dialog.replaceChildren(...rows);
  for (const node of nodes) node.classList.add("meant");
  dialog.showModal();
  const likely = rows[sorted.indexOf(nodes[0])];
  likely.focus();
  /** @type {(value: number, most: number) => string} */
  const keep = (value, most) => `${Math.max(8, Math.min(value, most - 8))}px`;
  dialog.style.left = keep(x - dialog.offsetWidth / 2, innerWidth - dialog.offsetWidth);
  dialog.style.top = keep(y - likely.offsetTop - likely.offsetHeight / 2, innerHeight - dialog.offsetHeight);
}
