// The lobby: make a table in two clicks, or with every choice.
import { $, explain, post, say } from "./ui.js";

async function make(button, body) {
  button.classList.add("sent");
  try {
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
  if (button) make(button, JSON.parse(button.dataset.create));
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-table-form]")) return;
  event.preventDefault();
  make(event.submitter ?? $("button", event.target), chosen(event.target));
});
document.addEventListener("change", (event) => {
  if (event.target.name === "seat") event.target.nextElementSibling.hidden = event.target.value !== "here";
  if (event.target.name === "edition") showEdition(event.target.form);
  if (event.target.name === "option:ruleset") showOptions(event.target.form);
});
for (const form of document.querySelectorAll("[data-table-form]")) showEdition(form), showOptions(form);
