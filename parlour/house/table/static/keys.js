// The table by keys: the board, the bar and the log are one stop of Tab each, and arrows walk inside (arrows.js, loaded
// with the first key); each choice that can be made has a key of its own.
import { list } from "./choices.js";
import { BUTTON } from "./pieces.js";
import { visible } from "./ui.js";

const CHOICE = ":is([data-action], [data-part])";
export const ANY = `:is(${BUTTON}:is([data-action], [data-part], [data-why]), a.clause, summary)`;
const KEYS = "123456789abcdefgijklmnopqrstvwxyz0"; // "h" and "u" are the page's own
/** @type {Record<string, { node?: HTMLElement, key?: string }>} */
export const zones = { board: {}, bar: {} }; // the stop of each: the piece and its key
/** @type {Map<string | undefined, string>} */
const given = new Map(); // piece -> the key it was given, so that it keeps it while it can

export const focused = () => /** @type {HTMLElement} */ (document.activeElement ?? document.body);
/** @type {(selector: string) => HTMLElement[]} */
const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);

// Where the arrows go: on the board to what can be chosen, or (`wide`) to whatever says something when it is pressed.
/** @type {(zone: string, wide?: boolean) => HTMLElement[]} */
export function items(zone, wide) {
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
