// The pages of playtests: the form for a new one, the designer's page, and the page of an invite link.
import { $, complain, post, remember, the } from "./ui.js";

const form = $("form[data-playtest-form]");
const fields = /** @type {Fields<"name" | "what" | "seats" | "compare" | "edition-A" | "edition-B" | "changes-A" | "changes-B">} */ (form?.elements); // used only if there is one

// What the page with an edition's numbers asks for; options other than the ruleset are of that game only.
const asked = new URLSearchParams(location.search);
/** @type {Record<string, string>} */
let options = {};

// Offers the editions, values and numbers of players of the chosen game.
function fit() {
  const { players = "", editions = "[]", values = "" } = fields.what.selectedOptions[0].dataset;
  const [fewest, most] = players.split(" ").map(Number);
  fields.seats.replaceChildren(...Array.from({ length: most - fewest + 1 }, (_, i) => new Option(String(fewest + i))));
  fields.seats.value = String(Math.max(2, fewest));
  for (const field of [fields["edition-A"], fields["edition-B"]]) {
    /** @type {[name: string, title: string][]} */
    const offered = JSON.parse(editions);
    field.replaceChildren(...offered.map(([name, title]) => new Option(title, name)));
  }
  the(".values").replaceChildren(...values.split("\n").filter(Boolean).map((line) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = button.dataset.value = line;
    item.append(button);
    return item;
  }));
}
function compare() {
  const on = fields.compare.checked;
  for (const node of document.querySelectorAll('[data-arm="B"], [data-blind]')) node.hidden = !on;
}

// Adds a value to the edition that is compared, else to the only one, ready to be changed.
/** @type {(line: string) => void} */
function add(line) {
  const field = fields[fields.compare.checked ? "changes-B" : "changes-A"];
  field.value = [field.value.trimEnd(), line].filter(Boolean).join("\n");
  field.focus();
  field.setSelectionRange(field.value.length - line.length + line.indexOf("= ") + 2, field.value.length);
}

/** @type {(button: HTMLElement, act: () => Promise<unknown>) => Promise<void>} */
async function tried(button, act) {
  try {
    await act();
  } catch (problem) {
    complain(button, problem);
  }
}

async function make() {
  const [game, ruleset] = fields.what.value.split(":");
  const { "edition-A": first, "changes-A": changes, "edition-B": second, "changes-B": others } = fields;
  const editions = [{ edition: first.value, changes: changes.value }];
  if (fields.compare.checked) editions.push({ edition: second.value, changes: others.value });
  const body = { name: fields.name.value, game, editions, seats: Number(fields.seats.value), options: { ...options, ...(ruleset && { ruleset }) } };
  const { id } = await post("/api/playtests", body);
  location.assign(`/playtests/${id}`);
}

/** @type {(form: HTMLFormElement, button: HTMLElement | null) => Promise<void>} */
async function join({ dataset: { join: token, playtest } }, button) {
  const agree = button?.getAttribute("value") === "yes";
  remember(`parlour-playtest-${playtest}`, agree ? "" : "no"); // so that the table doesn't ask again
  location.assign((await post("/api/playtests/join", { token, agree })).url);
}

document.addEventListener("submit", (event) => {
  const { target } = event, pressed = /** @type {HTMLElement | null} */ (event.submitter);
  if (!target.matches("[data-playtest-form], [data-join]")) return;
  event.preventDefault();
  tried(pressed ?? target, () => (target === form ? make() : join(target, pressed)));
});

document.addEventListener("click", (event) => {
  /** @type {At} */
  const at = (selector) => event.target.closest?.(selector);
  const value = at("[data-value]"), stop = at("[data-withdraw]"), open = at("[data-open]"), gone = at("[data-delete-playtest]");
  const { playtest } = the("main").dataset;
  if (value) add(value.dataset.value ?? "");
  else if (stop) tried(stop, () => post(`/api/playtests/${stop.dataset.withdraw}/consent`, { agree: false }).then(() => location.reload()));
  else if (open) tried(open, () => post(`/api/playtests/${playtest}/open`, { open: open.dataset.open === "true" }).then(() => location.reload()));
  else if (gone) tried(gone, () => post(`/api/playtests/${playtest}/delete`).then(() => location.assign("/playtests")));
});

// Fills in what is asked for, as far as it is offered.
function fill() {
  /** @type {[HTMLSelectElement, string][]} */
  const wishes = [[fields.what, "what"], [fields["edition-A"], "edition"], [fields.seats, "seats"]];
  for (const [field, name] of wishes) {
    const wanted = asked.get(name);
    if (wanted && [...field.options].some(({ value }) => value === wanted)) field.value = wanted;
    if (name === "what") fit();
  }
  if (fields.what.value !== asked.get("what")) return;
  fields["changes-A"].value = asked.get("changes") ?? "";
  try {
    options = JSON.parse(asked.get("options") ?? "{}");
  } catch {} // a link that was cut off
}

if (form) {
  fields.what.addEventListener("change", () => ((options = {}), fit()));
  fields.compare.addEventListener("change", compare);
  fill();
  compare();
}
