// The rules: search, one ruleset alone, printed rules only, and the link back to the table.
import { $, explain, post, remember, the, visible } from "./ui.js";

const main = the("main"), game = main.dataset.game;
/** @type {<S extends string>(selector: S) => Found<S>[]} */
const all = (selector) => [...document.querySelectorAll(selector)];

// The table that led here, in this tab, and the clause opened there. It is kept between pages of rules, and forgotten on
// coming from other pages.
const from = document.referrer ? new URL(document.referrer) : null, name = `parlour-back-${game}`;
/** @type {(place?: string) => string | null | undefined} */
function came(place) {
  try {
    if (place !== undefined) sessionStorage.setItem(name, place);
    return sessionStorage.getItem(name);
  } catch {}
  return place;
}
if (from?.origin === location.origin && !from.pathname.startsWith("/rules/") && /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0])?.type === "navigate") {
  came(from.pathname.startsWith("/t/") ? from.pathname + from.search + (/^#[A-Z]{2}-\d+$/.test(location.hash) ? location.hash : "") : "");
}
const way = came(), back = the("a#back");
if (way) {
  back.href = way;
  back.hidden = false;
}
$("[data-print]")?.addEventListener("click", () => print());
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-learn]");
  if (!button) return;
  const { learn, ruleset } = button.dataset;
  try {
    location.href = (await post("/api/lessons", { game: learn, ruleset })).url;
  } catch (problem) {
    button.textContent = explain(problem);
  }
});

// One ruleset alone: that of the address, or the one chosen here before.
/** @type {(ruleset: string) => void} */
function show(ruleset) {
  for (const node of all("main [data-ruleset]")) node.classList.toggle("other", Boolean(ruleset) && node.dataset.ruleset !== ruleset);
  for (const kind of ["sheet", "learn"]) {
    const links = all(`nav .${kind}`);
    for (const link of links) link.hidden = link.dataset.ruleset !== (ruleset || links[0].dataset.ruleset);
  }
}
const which = all("input[name=ruleset]"), chosen = `parlour-ruleset-${game}`;
const asked = new URLSearchParams(location.search).get("ruleset") ?? remember(chosen) ?? "";
for (const choice of which) {
  choice.checked = choice.value === asked;
  choice.addEventListener("change", () => (remember(chosen, choice.value), show(choice.value), search()));
}
if (which.length) show((which.find((one) => one.checked) ?? Object.assign(which[0], { checked: true })).value);

// Search: highlights the places with all the words; Enter goes from one to the next.
const field = the("#find"); // null in a summary sheet, which is not searched
const PLACES = "article :is(p, li, tr, dt, dd, figcaption, h1, h2, h3)";
/** @type {HTMLElement[]} */
let places = [];
let at = -1;
function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {(node: HTMLElement) => boolean} */
  const has = (node) => words.every((word) => node.innerText.toLowerCase().includes(word));
  places = words.length ? all(PLACES).filter((node) => visible(node) && has(node) && !all(PLACES).some((inner) => inner !== node && node.contains(inner) && has(inner))) : [];
  at = -1;
  the("#found").textContent = !words.length ? "" : places.length ? `${places.length} ${places.length > 1 ? "matches" : "match"}` : "no matches";
  light(words);
}
/** @type {(words: string[]) => void} */
function light(words) {
  if (!globalThis.CSS?.highlights) return;
  /** @type {Range[]} */
  const ranges = [];
  for (const place of places) {
    const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = /** @type {Text} */ (node).data.toLowerCase();
      for (const word of words) {
        for (let i = text.indexOf(word); i >= 0; i = text.indexOf(word, i + word.length)) {
          const range = new Range();
          range.setStart(node, i);
          range.setEnd(node, i + word.length);
          ranges.push(range);
        }
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}
/** @type {(by: number) => void} */
function go(by) {
  if (!places.length) return;
  places[at]?.classList.remove("here");
  at = (at + by + places.length) % places.length;
  places[at].classList.add("here");
  places[at].scrollIntoView({ block: "center" });
  the("#found").textContent = `${at + 1} of ${places.length}`;
}
field?.addEventListener("input", search);
field?.addEventListener("keydown", (event) => {
  if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
  else if (event.key !== "Escape" || !field.value) return;
  else {
    field.value = "";
    search();
  }
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  field?.focus();
  event.preventDefault();
});
const only = $("#only");
if (only) {
  const printed = `parlour-printed-${game}`;
  const apply = () => (main.classList.toggle("printed-only", only.checked), search());
  only.checked = remember(printed) === "on";
  only.addEventListener("change", () => (remember(printed, only.checked ? "on" : ""), apply()));
  apply();
}
// On a phone the contents are folded, and fold again after a link is followed.
const contents = $(".contents details"), narrow = matchMedia("(max-width: 63.99rem)");
if (contents) {
  contents.open = !narrow.matches;
  contents.addEventListener("click", (event) => { if (narrow.matches && /** @type {HTMLElement} */ (event.target).closest("ol a")) contents.open = false; });
}
