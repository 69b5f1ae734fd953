// The lobby: make a table in two clicks, or with every choice; see where it is one's turn.
import { parse, patch } from "./patch.js";
import { $, explain, post, refusal, remember, say } from "./ui.js";

const STREAM = "/api/lobby/events";
const EVERY = 5000; // ms between two looks at the tables, while the page is seen and has no stream

async function make(button, body, name = "", path = "/api/tables") {
  button.classList.add("sent");
  try {
    if (name) await post("/api/me", { name });
    const to = (await post(path, body)).url ?? button.dataset.to;
    if (to) location.href = to;
    else {
      button.classList.remove("sent"); // the lists say what became of it,
      if (path.endsWith("/play")) scrollTo(0, 0); // these at the top
    }
  } catch (problem) {
    button.classList.remove("sent");
    say(button, explain(problem), problem.clause);
  }
}

function chosen(form) {
  const data = new FormData(form);
  const names = data.getAll("here");
  const seats = data.getAll("seat").map((value, i) => {
    const [kind, bot] = value.split(":"), name = kind === "here" && names[i].trim();
    return { kind, ...(bot && { bot }), ...(name && { name }) };
  }).filter((seat) => seat.kind);
  const options = {};
  for (const [name, value] of data) if (name.startsWith("option:")) options[name.slice(7)] = value;
  const hints = data.get("hints");
  return {
    game: data.get("game"), edition: data.get("edition"), seats, options,
    public: data.has("public"), pace: data.get("pace"), wait: data.has("wait"),
    ...(data.get("tempo") && { tempo: tempo(data) }),
    ...(hints && { hints: hints === "on" }),
  };
}

function tempo(data) {
  const weekend = data.has("weekend") && { off: [5, 6], zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  return { ...JSON.parse(data.get("tempo")), ...weekend };
}

// Days off are for games with days a decision.
function showWeekend(form) {
  const row = $("[data-weekend]", form);
  row.hidden = !(JSON.parse(form.elements.tempo.value || "{}").delay >= 3600);
  $("input", row).disabled = row.hidden;
}

function showEdition(form) {
  for (const node of form.querySelectorAll("[data-edition]")) node.hidden = node.dataset.edition !== form.elements.edition.value;
}

// An option that makes no difference in the chosen ruleset is not offered, and not sent.
function showOptions(form) {
  const ruleset = form.elements["option:ruleset"]?.value;
  for (const node of form.querySelectorAll("[data-rulesets]")) {
    node.hidden = !node.dataset.rulesets.split(" ").includes(ruleset);
    $("select", node).disabled = node.hidden;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-create], [data-learn]");
  if (!button) return;
  const ruleset = $("[data-ruleset]:checked", button.closest("article") ?? button)?.dataset.ruleset;
  if (button.dataset.learn) make(button, { game: button.dataset.learn, ...(ruleset && { ruleset }) }, "", "/api/lessons");
  else make(button, { ...JSON.parse(button.dataset.create), ...(ruleset && { options: { ruleset } }) }, "", button.dataset.path);
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-table-form]")) return;
  event.preventDefault();
  make(event.submitter ?? $("button", event.target), chosen(event.target), event.target.elements["your-name"]?.value.trim());
});
document.addEventListener("change", (event) => {
  if (event.target.name === "seat") event.target.nextElementSibling.hidden = event.target.value !== "here";
  if (event.target.name === "edition") showEdition(event.target.form);
  if (event.target.name === "tempo") showWeekend(event.target.form);
  if (event.target.name === "option:ruleset") showOptions(event.target.form);
});
// The ruleset that was chosen on the card is the one that the dialog begins with.
document.addEventListener("click", (event) => {
  const dialog = document.getElementById(event.target.closest?.(".more")?.dataset.opens), form = dialog && $("form", dialog);
  const ruleset = form && $("[data-ruleset]:checked", event.target.closest("article"))?.dataset.ruleset;
  if (ruleset) form.elements["option:ruleset"].value = ruleset, showOptions(form);
});

// The lists follow the stream. Without one they are looked up, and the page says so. A page that is not seen does
// neither: it holds no place that another could have.
const lost = $(".net"), usual = lost.textContent;
let stream, timer, tries = 0, asked = 0;
function take(html) {
  for (const fresh of parse(html).children) patch($(`[data-key="${fresh.dataset.key}"]`), fresh);
  sift();
}
function follow() {
  rest();
  if (document.hidden) return;
  const mine = (stream = new EventSource(STREAM));
  mine.addEventListener("lists", (event) => {
    lost.hidden = true;
    tries = 0;
    const { html, go } = JSON.parse(event.data);
    if (go) location.href = go;
    take(html);
  });
  mine.addEventListener("notice", async (event) => (await import("./notice.js")).show(JSON.parse(event.data)));
  mine.onerror = async () => {
    const refused = mine.readyState === EventSource.CLOSED; // else it was cut off
    mine.close();
    const problem = refused ? await refusal(STREAM).catch(() => null) : null;
    if (mine !== stream) return;
    if (problem?.code === "signed-out") return location.assign("/me#signed-out");
    if (problem || tries) lost.textContent = `${problem ? `${explain(problem)} ` : ""}${usual}`, (lost.hidden = false);
    timer = setTimeout(follow, Math.max(1000 * (problem?.after ?? 0), Math.min(8000, 500 * 2 ** tries++)) * (0.75 + Math.random() / 2));
  };
}
function rest() {
  clearTimeout(timer);
  stream?.close();
}
async function look() {
  if (document.hidden || stream?.readyState === EventSource.OPEN || Date.now() - asked < EVERY) return;
  asked = Date.now();
  try {
    const answer = await fetch("/?only=tables");
    if (answer.ok) take(await answer.text());
  } catch {} // the next look tells
}
setInterval(look, 1000);
document.addEventListener("visibilitychange", () => (document.hidden ? rest() : follow()));
addEventListener("pagehide", rest);
addEventListener("pageshow", (event) => event.persisted && follow());

// A table that waits is deleted, when one was asked; a finished game leaves one's list, and may come back.
let cleared;
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-clear], [data-delete], [data-undo]");
  if (!button) return;
  const { table, clear } = button.dataset, ask = $("#delete-table"), back = "undo" in button.dataset;
  cleared = table ?? cleared;
  if (clear === "delete") return ask.showModal();
  try {
    await post(`/api/tables/${cleared}/delete`, { back });
    asked = 0;
    ask.close();
    $(".undo").hidden = !clear;
  } catch (problem) {
    say(button, explain(problem));
  }
});

// What one looks for, kept on this device.
const filter = $("[data-filter]");
function sift() {
  const [what, seats] = [...filter.elements].map((field) => field.value);
  for (const list of document.querySelectorAll("[data-sifted]")) {
    const rows = [...list.querySelectorAll("li")];
    for (const row of rows) row.hidden = (what && row.dataset.for !== what) || (seats && row.dataset.seats !== seats);
    const none = $("[data-none]", list); // there is one where there are rows
    if (none) none.hidden = rows.some((row) => !row.hidden);
  }
}
document.addEventListener("parlour:renamed", () => $("main").removeAttribute("data-unnamed"));

for (const form of document.querySelectorAll("[data-table-form]")) showEdition(form), showOptions(form), showWeekend(form);
const wished = (remember("parlour-filter") ?? "|").split("|");
[...filter.elements].forEach((field, i) => (field.value = wished[i], field.selectedIndex < 0 && (field.value = "")));
document.addEventListener("click", (event) => event.target.closest?.("[data-all]") && (filter.reset(), filter.dispatchEvent(new Event("input"))));
filter.addEventListener("input", () => (remember("parlour-filter", [...filter.elements].map((field) => field.value).join("|")), sift()));
sift();
follow();
