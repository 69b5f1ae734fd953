// Parts that are chosen together for one move, as the dice of a roll: what their button says and does, and which were sent.
import { find, part } from "./received.js";

/** @type {[key: string, part: string | undefined][] | null} */
let picked = null; // keys and parts of what was sent to be rolled
const pressed = () => [...document.querySelectorAll('.scene [aria-pressed="true"]')];

// Notes what is sent with a move; forgets it if the move is refused.
export const pick = () => (picked = pressed().map((node) => [node.dataset.key ?? "", node.dataset.part]));
export const forget = () => (picked = null);

// The rules take the first of several equal pieces; shows those that the player chose instead.
/** @type {(scene: Element, fresh: Element) => void} */
export function swap(scene, fresh) {
  if (!picked) return;
  const rolled = [...fresh.querySelectorAll(".air, .rolled")].map((node) => node.dataset.key ?? "");
  if (!rolled.length) return;
  const mine = new Set(picked.map(([key]) => key));
  for (const [key, kind] of picked) {
    if (rolled.includes(key)) continue;
    const other = rolled.find((one) => !mine.has(one) && find(one, scene)?.dataset.part === kind);
    const a = find(key, scene), b = other && find(other, scene);
    if (!a || !b) continue;
    mine.add(other);
    a.dataset.key = other;
    b.dataset.key = key;
  }
  picked = null;
}

// Lets the button say what is chosen, and do it if that is a move. Called after each change of the page.
export function updatePick() {
  const button = find("b-pick");
  if (!button?.dataset.pick) return;
  /** @type {Picking} */
  const { moves, label, hints, whys } = JSON.parse(button.dataset.pick);
  const chosen = pressed(), n = String(chosen.length), tokens = chosen.map((node) => node.dataset.part).sort().join(",");
  const move = moves[tokens], why = whys[n] ?? whys[""];
  /** @type {Element} */ (button.firstElementChild).textContent = label.replace("{n}", String(chosen.length || "")).trim();
  part("h-pick").textContent = move ? "" : hints[n] ?? hints[""] ?? "";
  if (move) {
    button.dataset.action = move;
    for (const name of ["aria-disabled", "data-why", "data-clause"]) button.removeAttribute(name);
    part("reason").textContent = "";
  } else {
    button.setAttribute("aria-disabled", "true");
    delete button.dataset.action;
    [button.dataset.why, button.dataset.clause] = why ?? ["You can’t choose this.", ""];
  }
}

// Chooses a part, or no longer.
/** @type {(node: HTMLElement) => void} */
export function choose(node) {
  node.setAttribute("aria-pressed", String(node.getAttribute("aria-pressed") !== "true"));
  part("reason").textContent = "";
  updatePick();
}

// Chooses all parts, or none if all are chosen.
export function chooseAll() {
  const all = [...document.querySelectorAll(".scene [data-part]")].filter((one) => !one.closest(".aside"));
  const on = all.some((one) => one.getAttribute("aria-pressed") !== "true");
  for (const one of all) one.setAttribute("aria-pressed", String(on));
  updatePick();
}
