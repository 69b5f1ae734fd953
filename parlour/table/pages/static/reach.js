// For fingers: a tap is one on the nearest piece that can be pressed, as far as a square of 44 px reaches that holds the
// piece. A piece for which its neighbours leave no such square is crowded: a tap near it asks which of them was meant.
// What is under the finger comes first; a drag is no tap, as the browser never makes a click of it.
const SIZE = 44, HALF = SIZE / 2;
const PIECES = ".scene .board :is([data-action], [data-part], [data-why])";
const ANSWERS = "button, a, summary, input, select, textarea, label, dialog, .bar";
const LAST = 6; // so many are asked about at most

let finger = null; // where it went down
addEventListener("pointerdown", (event) => {
  finger = event.pointerType === "mouse" ? null : [event.clientX, event.clientY];
  if (finger) import("./which.js"); // before it is wanted
}, true);

const isTurned = (node) => !node.matches(".board") && (getComputedStyle(node).rotate === "45deg" || isTurned(node.parentElement));

// What can be pressed and is to be seen: where, whether it stands on its corner, and what it does, "" if it only says why not.
function pieces() {
  return [...document.querySelectorAll(PIECES)].flatMap((node) => {
    const { left, top, width, height } = node.getBoundingClientRect(), x = left + width / 2, y = top + height / 2;
    if (!width || !node.contains(document.elementFromPoint(x, y))) return [];
    const turned = isTurned(node.parentElement), { action, part, key } = node.dataset;
    const [wide, high] = turned ? [width * Math.SQRT1_2, height * Math.SQRT1_2] : [width, height];
    return [{ node, x, y, wide, high, turned, does: action ?? (part && key) ?? "", small: wide < SIZE || high < SIZE }];
  });
}

// How far a place is from a piece's middle, and a piece's own half, along the axes of a piece that may stand on its corner.
const along = (turned, right, down) => (turned ? [(right + down) * Math.SQRT1_2, (down - right) * Math.SQRT1_2] : [right, down]).map(Math.abs);
const half = (one, turned) => (one.turned === turned ? [one.wide / 2, one.high / 2] : [0, 0].fill((one.wide + one.high) * Math.SQRT1_2 / 2));
const away = (one, x, y) => along(one.turned, x - one.x, y - one.y).map((far, i) => Math.max(0, far - half(one, one.turned)[i]));
const far = (one, x, y) => Math.hypot(...away(one, x, y));

// The piece that a tap there is nearest to; undefined if there is none within reach, or something else answers.
function nearest(all, x, y) {
  const on = document.elementFromPoint(x, y), under = on?.closest(ANSWERS);
  if (under || !on?.closest(".scene")) return all.find(({ node }) => node === under);
  const near = all.filter((one) => away(one, x, y).every((beyond, i) => beyond <= Math.max(0, SIZE + 2 - 2 * half(one, one.turned)[i])));
  const order = (a, b) => far(a, x, y) - far(b, x, y) || Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y);
  return near.sort(order)[0];
}

// Whether its neighbours and the window leave a piece its square, each as far as half of the gap between them.
function roomy(all, one) {
  if (!one.small) return true;
  const { x, y, turned } = one, [wide, high] = half(one, turned), free = [wide, wide, high, high]; // before and after, along each axis
  for (const axis of [0, 1]) {
    const mine = [wide, high][axis], across = axis ? Math.max(free[0], free[1]) : high, edge = [innerWidth, innerHeight][axis];
    free[2 * axis] = turned ? SIZE : Math.min(SIZE, [x, y][axis]);
    free[2 * axis + 1] = turned ? SIZE : Math.min(SIZE, edge - [x, y][axis]);
    for (const other of all) {
      if (other === one || (other.does && other.does === one.does)) continue;
      const [right, down] = [other.x - x, other.y - y], to = turned ? [(right + down) * Math.SQRT1_2, (down - right) * Math.SQRT1_2] : [right, down];
      const theirs = half(other, turned), gap = Math.abs(to[axis]) - mine - theirs[axis];
      if (Math.abs(to[1 - axis]) >= across + theirs[1 - axis] || gap < -mine) continue;
      const side = 2 * axis + (to[axis] > 0);
      free[side] = Math.min(free[side], mine + (other.does ? gap / 2 : gap));
    }
    if (free[2 * axis] + free[2 * axis + 1] < SIZE - 1) return false;
  }
  return true;
}

// Look at what lies on the board now. What is given back tells which pieces a tap at a place of the window may mean, the
// nearest first: none, one, or those between which it leaves open.
export function survey() {
  const all = pieces(), known = new Map();
  const crowded = (one) => known.get(one) ?? known.set(one, !roomy(all, one)).get(one);
  const within = (middle, to, edge) => Math.abs(to - Math.min(Math.max(middle, HALF), edge - HALF)) <= HALF;
  const round = (one, x, y) => within(one.x, x, innerWidth) && within(one.y, y, innerHeight); // in the square round its middle
  return (x, y) => {
    const best = nearest(all, x, y), found = new Map();
    if (!best) return [];
    const near = all.filter((one) => one.does && one.small && Math.max(...away(one, x, y)) <= HALF);
    const ask = best.does && crowded(best), others = near.filter((one) => ask || (round(one, x, y) && crowded(one)));
    for (const one of [best, ...others.sort((a, b) => far(a, x, y) - far(b, x, y))]) if (!found.has(one.does)) found.set(one.does, one.node);
    return [...found.values()].slice(0, LAST);
  };
}

// The piece that a tap at this place of the window means, if it is one.
export function meant(x, y) {
  const found = survey()(x, y);
  return found.length === 1 ? found[0] : null;
}

document.addEventListener("click", async (event) => {
  if (!finger || !event.isTrusted || !event.detail || !event.target.closest?.(".scene")) return;
  const target = event.target.closest(ANSWERS), [x, y] = finger;
  if (target && !target.matches(PIECES)) return;
  const found = survey()(x, y), [piece] = found;
  if (!piece || (found.length === 1 && piece === target)) return;
  event.preventDefault();
  if (found.length === 1) {
    event.stopPropagation();
    return piece.click();
  }
  event.stopImmediatePropagation(); // nothing is pressed yet
  (await import("./which.js")).ask(found, x, y);
}, true);
