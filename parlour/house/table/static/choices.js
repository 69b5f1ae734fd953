// For the thumb: moves on the board that are not in the bar. The bar shows a few if their words fit; otherwise it has one
// button that opens a list of all of them.
import { keepPlaces } from "./fit.js";
import { named } from "./told.js";
import { $, visible } from "./ui.js";

const thumb = matchMedia("(max-width: 63.99rem), (pointer: coarse)");
const button = document.createElement("button"), sheet = document.createElement("dialog"), rows = document.createElement("div");
button.className = "act list";
button.ariaHasPopup = "dialog";
button.innerHTML = "<span>Moves</span><small>list</small>";
sheet.className = "sheet-of-moves";
sheet.setAttribute("aria-label", "All moves on the board");
rows.className = "rows-of-moves";
const close = document.createElement("button");
close.className = "act";
close.innerHTML = "<span>Close</span>";
sheet.append(rows, close);
document.body.append(sheet);

// The moves on the board without a button of their own; several pieces that make one move count once.
function open() {
  const inBar = new Set([...document.querySelectorAll(".scene .acts [data-action]")].map((node) => node.dataset.action));
  /** @type {Map<string, HTMLElement>} */
  const found = new Map();
  for (const node of document.querySelectorAll(".scene .board :is([data-action], [data-part])")) {
    const { action, key } = node.dataset;
    if (!inBar.has(action) && visible(node) && !found.has(action ?? `part ${key}`)) found.set(action ?? `part ${key}`, node);
  }
  return [...found.values()];
}

/** @type {(node: HTMLElement, words: string) => HTMLButtonElement} */
function row(node, words) {
  const made = document.createElement("button");
  made.className = "act";
  made.dataset.of = node.dataset.key;
  made.append(words);
  if (node.ariaPressed !== null) made.ariaPressed = node.ariaPressed;
  made.addEventListener("click", (event) => {
    event.stopPropagation(); // press only the piece
    if (!node.dataset.part) sheet.close(); // the piece that is alone, or the button of those that were chosen
    node.click();
    if (sheet.open) write(); // one of several that are chosen together
  });
  return made;
}

function write() {
  const pick = $(".scene [data-pick][data-action]"), focus = document.activeElement?.dataset.of;
  rows.replaceChildren(...open().map((node) => row(node, named(node))));
  if (pick) {
    const all = row(pick, pick.firstElementChild?.textContent ?? "");
    all.classList.add("main");
    rows.append(all);
  }
  rows.querySelector(`[data-of="${CSS.escape(focus ?? "")}"]`)?.focus();
}

// Called after each change of the page: shows the button if there is anything to choose.
export function list() {
  const found = thumb.matches ? open() : [], bar = $(".scene .acts");
  for (const one of document.querySelectorAll(".acts .brief")) one.remove();
  if (bar?.matches(".full")) bar.classList.remove("full");
  if (!found.length || !bar || direct(found, bar)) button.remove();
  else if (bar.lastElementChild !== button) bar.append(button);
  keepPlaces($(".scene"));
  if (sheet.open) found.length ? write() : sheet.close();
}

// Puts the moves into the bar if they are few and the bar doesn't grow; returns whether it did.
const FEW = 6;
/** @type {(found: HTMLElement[], bar: HTMLElement) => boolean} */
function direct(found, bar) {
  if (found.length > FEW || found.some((node) => node.dataset.part)) return false;
  button.remove();
  const { high, room } = keepPlaces($(".scene")), made = found.map((node) => row(node, named(node)));
  for (const one of made) one.classList.add("brief");
  const main = bar.querySelector(".main"); // what is before it, and it itself, stay where they are
  if (main) main.before(...made);
  else bar.prepend(...made);
  const whole = () => made.every((one) => one.scrollWidth <= one.clientWidth && one.offsetWidth >= 44 && one.offsetHeight >= 44)
    && bar.offsetHeight <= Math.max(high, 56) && bar.scrollWidth <= bar.clientWidth;
  if (whole()) return true;
  if (room) { // they take it
    bar.classList.add("full");
    bar.style.removeProperty("--tools");
    if (whole()) return true;
    bar.classList.remove("full");
  }
  for (const one of made) one.remove();
  return false;
}

button.addEventListener("click", () => {
  write();
  sheet.showModal();
});
close.addEventListener("click", () => sheet.close());
thumb.addEventListener("change", list);
