// The lobby: opens a table in two clicks, or with every choice; shows where it is the guest's turn.
import { elsewhere } from "./call.js";
import { parse, patch } from "./patch.js";
import { follow } from "./stream.js";
import { $, complain, explain, post, remember, say, the, use } from "./ui.js";

const EVERY = 5000; // ms between two looks at the tables while the page is visible without a stream

/** @type {(button: HTMLElement, body: object, name?: string, path?: string) => Promise<void>} */
async function make(button, body, name = "", path = "/api/tables") {
  button.classList.add("sent");
  try {
    if (name) await post("/api/me", { name });
    const to = /** @type {Done} */ (await post(path, body)).url ?? button.dataset.to;
    if (to) location.href = to;
    else {
      button.classList.remove("sent"); // the lists show the result,
      if (path.endsWith("/play")) scrollTo(0, 0); // these at the top
    }
  } catch (problem) {
    button.classList.remove("sent");
    complain(button, problem);
  }
}

// Shows on a card what applies to its chosen ruleset.
/** @type {(place: HTMLElement, ruleset?: string) => void} */
function showRules(place, ruleset) {
  for (const link of place.querySelectorAll("a[href*='?ruleset=']")) link.search = `?ruleset=${ruleset}`;
  for (const node of place.querySelectorAll("[data-only]")) node.hidden = node.dataset.only !== ruleset;
}

// The time and rating chosen beside the Play now buttons.
/** @type {(button: HTMLElement) => object | undefined} */
function terms(button) {
  const [time, rated] = /** @type {Iterable<Field>} */ (button.closest(".asks")?.querySelectorAll("[name^=ask-]") ?? []);
  return time && { ...(time.value && { tempo: time.value }), rated: rated.checked };
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-create], [data-learn], [data-here], [data-another]");
  if (!button) return;
  const ruleset = $("[data-ruleset]:checked", button.closest("article") ?? button)?.dataset.ruleset, { create = "{}", learn, path, here, another } = button.dataset;
  if (here || another !== undefined) return use(more(), ({ gather }) => gather(here ? button : undefined, ruleset), button);
  if (learn) make(button, { game: learn, ...(ruleset && { ruleset }) }, "", "/api/lessons");
  else make(button, { ...JSON.parse(create), ...(ruleset && { options: { ruleset } }), ...terms(button) }, "", path);
});
// The dialogs with every choice; their code is loaded when one opens.
const more = () => import("./more.js");
document.addEventListener("submit", async (event) => {
  const form = event.target, button = event.submitter ?? the("button", form);
  if (!form.matches("[data-table-form], [data-here-form]")) return;
  event.preventDefault();
  if ("hereForm" in form.dataset) return make(button, ...(await more()).gathered());
  make(button, (await more()).chosen(form), /** @type {Partial<Fields<"your-name">>} */ (form.elements)["your-name"]?.value.trim());
});
document.addEventListener("change", async (event) => {
  if (event.target.dataset.ruleset) showRules(/** @type {HTMLElement} */ (event.target.closest("article")), event.target.dataset.ruleset);
  const form = event.target.closest("form[data-table-form]");
  if (form) (await more()).show(form, showRules);
});
// The dialog begins with the ruleset chosen on the card.
document.addEventListener("click", async (event) => {
  const dialog = document.getElementById(event.target.closest?.(".more")?.dataset.opens ?? ""), form = dialog && $("form", dialog);
  if (!form) return;
  const ruleset = $("[data-ruleset]:checked", event.target.closest("article") ?? form)?.dataset.ruleset;
  if (ruleset) /** @type {Fields<"option:ruleset">} */ (form.elements)["option:ruleset"].value = ruleset;
  (await more()).show(form, showRules);
});

// The lists follow the stream. Without one the page refreshes them and says so. A hidden page follows only if it may have
// to call its guest back: otherwise it leaves its stream to other pages.
const lost = the(".net"), usual = lost.textContent;
let asked = 0;
/** @type {(html: string) => void} */
function take(html) {
  for (const fresh of parse(html).children) patch(the(`[data-key="${fresh.dataset.key}"]`), fresh);
  sift();
  calls();
}
function calls() {
  const waiting = document.querySelectorAll(".running [data-turn], .running [data-key=invited] li");
  elsewhere([...waiting].map(({ dataset: { key = "", turn } }) => `${turn === undefined ? "invitations" : "turns"} ${key.split("-")[1]}`));
}
const called = () => !document.hidden || !!$(".running:not([hidden]), [data-key=past] li"); // people they played with may invite them
const stream = follow({
  open: (query) => `/api/lobby/events?${query}`,
  here: "/api/lobby/here",
  wanted: called,
  on: {
    lists(data) {
      /** @type {Lists} */
      const { html, go } = JSON.parse(data);
      if (go) location.href = go;
      take(html);
    },
  },
  found: () => (lost.hidden = true),
  lost(problem, tries) {
    if (!problem && tries < 2) return;
    lost.textContent = `${problem ? `${explain(problem)} ` : ""}${usual}`;
    lost.hidden = false;
  },
});
async function look() {
  if (document.hidden || stream.open() || Date.now() - asked < EVERY) return;
  asked = Date.now();
  try {
    const answer = await fetch("/?only=tables");
    if (answer.ok) take(await answer.text());
  } catch {} // the next look will do
}
setInterval(look, 1000);

// Deletes a waiting table after asking; removes a finished game from the list, with an undo.
/** @type {string | undefined} */
let cleared;
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-clear], [data-delete], [data-undo]");
  if (!button) return;
  const { table, clear } = button.dataset, ask = the("#delete-table"), back = "undo" in button.dataset;
  cleared = table ?? cleared;
  if (clear === "delete") return ask.showModal();
  try {
    await post(`/api/tables/${cleared}/delete`, { back });
    asked = 0;
    ask.close();
    the(".undo").hidden = !clear;
  } catch (problem) {
    say(button, explain(problem));
  }
});

// The filter, stored on this device.
const filter = the("form[data-filter]"), sifters = () => /** @type {Field[]} */ ([...filter.elements]);
function sift() {
  const wanted = sifters().filter((field) => field.value);
  for (const list of document.querySelectorAll("[data-sifted]")) {
    const rows = [...list.querySelectorAll("li")];
    for (const row of rows) row.hidden = wanted.some(({ name, value }) => row.dataset[name] !== value);
    const count = $(`[data-counts=${list.dataset.key}]`);
    if (count) count.textContent = `${rows.filter((row) => !row.hidden).length || ""}`;
    const none = $("[data-none]", list); // only lists with rows have one
    if (none) none.hidden = rows.some((row) => !row.hidden);
  }
}
document.addEventListener("parlour:renamed", () => the("main").removeAttribute("data-unnamed"));

const wished = (remember("parlour-filter") ?? "|").split("|");
sifters().forEach((field, i) => (field.value = wished[i], field.selectedIndex < 0 && (field.value = "")));
document.addEventListener("click", (event) => event.target.closest?.("[data-all]") && (filter.reset(), filter.dispatchEvent(new Event("input"))));
filter.addEventListener("input", () => (remember("parlour-filter", sifters().map((field) => field.value).join("|")), sift()));
sift();
calls();
// A button that was pressed while this script was on its way.
window.pressed?.closest?.("[data-create], [data-learn], [data-here]")?.click();
