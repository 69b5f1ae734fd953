// The table by keys: the board, the bar and the log are one stop of Tab each, and arrows walk inside; each choice that
// can be made has a key of its own.
import { list } from "./choices.js";
import { $, visible } from "./ui.js";

const CHOICE = ":is([data-action], [data-part])";
const ANY = ":is(button:is([data-action], [data-part], [data-why]), a.clause, summary)";
/** @type {Record<string, [x: number, y: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEYS = "123456789abcdefgijklmnopqrstvwxyz0"; // "h" and "u" are the page's own
/** @type {Record<string, { node?: HTMLElement, key?: string }>} */
const zones = { board: {}, bar: {} }; // the stop of each: the piece and its key
/** @type {Map<string | undefined, string>} */
const given = new Map(); // piece -> the key it was given, so that it keeps it while it can

export const focused = () => /** @type {HTMLElement} */ (document.activeElement ?? document.body);
/** @type {(selector: string) => HTMLElement[]} */
const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);

// Where the arrows go: on the board to what can be chosen, or (`wide`) to whatever says something when it is pressed.
/** @type {(zone: string, wide?: boolean) => HTMLElement[]} */
function items(zone, wide) {
  if (zone === "bar") return all(".scene .bar :is(button, a[href])");
  const choices = wide ? [] : all(`.scene .board ${CHOICE}`);
  return choices.length ? choices : all(`.scene .board ${ANY}`);
}

// Called after each change of the page: new elements have no keys and no stops yet.
export function mark() {
  list();
  share();
  for (const [name, zone] of Object.entries(zones)) {
    const found = items(name), every = name === "bar" ? found : items(name, true);
    const focus = focused(), at = found.includes(focus) ? focus
      : every.find((node) => node === zone.node || (zone.key && node.dataset.key === zone.key));
    const first = found.find((node) => node.matches(".main:not([aria-disabled])")) ?? found[0];
    stop(name, at && (found.includes(at) || at === focus) ? at : first);
  }
  for (const link of document.querySelectorAll("[data-key=log] a:not([tabindex])")) link.tabIndex = -1;
  for (const box of document.querySelectorAll(".scene .board :is(.places, .notes, [data-layout])")) {
    const more = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    if (more && /auto|scroll/.test(getComputedStyle(box).overflow) && !box.matches("button")) box.tabIndex = 0;
  }
}

/** @type {(name: string, node?: HTMLElement) => void} */
function stop(name, node) {
  zones[name] = { node, key: node?.dataset.key };
  const rest = name === "bar" ? items(name) : document.querySelectorAll(`.scene .board ${ANY}`);
  for (const other of rest) other.tabIndex = other === node ? 0 : -1;
}

addEventListener("focusin", ({ target }) => {
  if (target.matches(`.scene .board ${ANY}`)) stop("board", target);
  if (target.matches(".scene .bar :is(button, a)")) stop("bar", target);
});

// Keys for the choices that have none, the same as before where they can be; and all keys in the words of ARIA.
function share() {
  const taken = new Set(all(".scene [data-shortcut]").map((node) => node.dataset.shortcut));
  const bare = all(`.scene ${CHOICE}:not([data-shortcut])`);
  /** @type {(node: HTMLElement, key?: string) => void} */
  const give = (node, key) => {
    if (!key || taken.has(key) || node.dataset.shortcut) return;
    taken.add(node.dataset.shortcut = key);
    given.set(node.dataset.key, key);
    if (!node.matches(".act")) return;
    const cap = document.createElement("kbd");
    cap.ariaHidden = "true";
    cap.textContent = key;
    node.append(cap);
  };
  for (const node of bare) give(node, given.get(node.dataset.key));
  for (const node of bare) if (node.matches(".act")) give(node, [...node.textContent.toLowerCase()].find((one) => KEYS.includes(one) && !taken.has(one)));
  for (const node of bare) give(node, [...KEYS].find((one) => !taken.has(one)));
  for (const node of document.querySelectorAll(".scene [data-shortcut]")) node.setAttribute("aria-keyshortcuts", node.dataset.shortcut ?? "");
}

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
