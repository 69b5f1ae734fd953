// The lobby: make a table in two clicks, or with every choice; see where it is one's turn.
import { parse, patch } from "./patch.js";
import { $, explain, post, say } from "./ui.js";

const EVERY = 5000; // ms between two looks at the tables, while the page is seen

async function make(button, body, name = "") {
  button.classList.add("sent");
  try {
    if (name) await post("/api/me", { name });
    location.href = (await post("/api/tables", body)).url;
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
    ...(hints && { hints: hints === "on" }),
  };
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
  const button = event.target.closest?.("[data-create]");
  if (!button) return;
  const ruleset = $("[data-ruleset]:checked", button.closest("article"))?.dataset.ruleset;
  make(button, { ...JSON.parse(button.dataset.create), ...(ruleset && { options: { ruleset } }) });
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-table-form]")) return;
  event.preventDefault();
  make(event.submitter ?? $("button", event.target), chosen(event.target), event.target.elements["your-name"]?.value.trim());
});
document.addEventListener("change", (event) => {
  if (event.target.name === "seat") event.target.nextElementSibling.hidden = event.target.value !== "here";
  if (event.target.name === "edition") showEdition(event.target.form);
  if (event.target.name === "option:ruleset") showOptions(event.target.form);
});
// The ruleset that was chosen on the card is the one that the dialog begins with.
document.addEventListener("click", (event) => {
  const dialog = document.getElementById(event.target.closest?.(".more")?.dataset.opens), form = dialog && $("form", dialog);
  const ruleset = form && $("[data-ruleset]:checked", event.target.closest("article"))?.dataset.ruleset;
  if (ruleset) form.elements["option:ruleset"].value = ruleset, showOptions(form);
});

let asked = Date.now();
async function look() {
  if (document.hidden || Date.now() - asked < EVERY) return;
  asked = Date.now();
  try {
    const answer = await fetch("/?only=tables");
    if (!answer.ok) return;
    for (const fresh of parse(await answer.text()).children) patch($(`[data-key="${fresh.dataset.key}"]`), fresh);
  } catch {} // the next look tells
}
setInterval(look, 1000);
document.addEventListener("visibilitychange", look);
document.addEventListener("parlour:renamed", () => $("main").removeAttribute("data-unnamed"));
addEventListener("pageshow", (event) => event.persisted && look());

for (const form of document.querySelectorAll("[data-table-form]")) showEdition(form), showOptions(form);
