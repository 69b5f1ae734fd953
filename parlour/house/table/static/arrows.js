// Arrows at the table: on the board and in the bar from choice to choice, in the log from rule to rule. Loaded with the
// first key.
import { ANY, focused, items, zones } from "./keys.js";
import { $ } from "./ui.js";

/** @type {Record<string, [x: number, y: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The next of `nodes` in the direction of an arrow: near, and rather straight ahead than aside; else the next in order.
/** @type {(from: HTMLElement, arrow: string, nodes: HTMLElement[]) => HTMLElement} */
export function toward(from, arrow, nodes) {
  const [x, y] = ARROWS[arrow], here = from.getBoundingClientRect();
  /** @type {(box: DOMRect) => Place} */
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  /** @type {(a: DOMRect, b: DOMRect, low: "top" | "left", high: "bottom" | "right") => number} */
  const apart = (a, b, low, high) => Math.max(0, b[low] - a[high], a[low] - b[high]);
  let best = null, least = Infinity;
  for (const node of nodes) {
    const box = node.getBoundingClientRect(), [ax, ay] = middle(here), [bx, by] = middle(box);
    const ahead = x * (bx - ax) + y * (by - ay), aside = x ? by - ay : bx - ax;
    if (node === from || ahead < 3) continue;
    const gap = x ? apart(here, box, "top", "bottom") : apart(here, box, "left", "right");
    const far = ahead + 3 * gap + Math.abs(aside) / 4;
    if (far < least) [best, least] = [node, far];
  }
  return best ?? nodes[nodes.indexOf(from) + (x + y)] ?? from;
}

// The piece that this key leads to from the one that has the focus; null if it leads nowhere.
/** @type {(from: HTMLElement, key: string, wide?: boolean) => HTMLElement | null} */
export function next(from, key, wide = false) {
  const zone = ["board", "bar"].find((name) => from.closest(`.scene .${name}`));
  if (!zone || from.matches(".acts, .board")) return key in ARROWS ? zones.board.node ?? null : null;
  const nodes = items(zone, wide);
  if (key === "Home" || key === "End") return nodes.at(key === "Home" ? 0 : -1) ?? null;
  if (!(key in ARROWS) || rolls(from, key)) return null;
  if (zone === "board") return toward(from, key, nodes);
  const [x, y] = ARROWS[key];
  return nodes[(nodes.indexOf(from) + x + y + nodes.length) % nodes.length];
}

// A strip that has the focus and that this key moves along, as in any page.
/** @type {(node: HTMLElement, key: string) => boolean} */
function rolls(node, key) {
  return node.matches(".board *") && !node.matches(ANY) && !!ARROWS[key]?.[0] && node.scrollWidth > node.clientWidth + 1;
}

// Walks, if this key means that. Returns whether it did.
/** @type {(event: KeyboardEvent) => boolean} */
export function walk(event) {
  const focus = focused(), log = focus.closest("[data-key=log]");
  if (!(event.key in ARROWS) && event.key !== "Home" && event.key !== "End") return false;
  if (log) return leaf(event, log, focus);
  if (rolls(focus, event.key)) return true;
  const free = [document.body, $("main"), $(".scene .acts"), $(".scene .board")].some((one) => one === focus);
  if (!free && !focus.closest(".scene")) return false;
  const used = $(`.scene [data-shortcut="${event.key}"]`);
  if (used && (free || !focus.matches(":focus-visible"))) return false;
  const node = next(focus, event.key, event.shiftKey);
  if (!node) return false;
  event.preventDefault();
  node.focus();
  node.scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
}

// In the log left and right go from rule to rule; up and down scroll, as on any page.
/** @type {(event: KeyboardEvent, log: Element, focus: HTMLElement) => boolean} */
function leaf(event, log, focus) {
  const links = [...log.querySelectorAll("a")];
  const [by] = ARROWS[event.key] ?? [];
  if (!by || !links.length) return true;
  event.preventDefault();
  const at = links.findIndex((link) => link === focus);
  (at < 0 ? links.at(-1) : links[Math.max(0, Math.min(links.length - 1, at + by))])?.focus();
  return true;
}
