// The list of tournaments, and the form for a new one.
import "./countdown.js";
import { tempo } from "./tempo.js";
import { $, complain, explain, post, the } from "./ui.js";

/** @type {(what: object, joins: boolean) => Promise<void>} */
async function make(what, joins) {
  const made = /** @type {{ id: string, url: string }} */ (await post("/api/tournaments", what));
  if (joins) await post(`/api/tournaments/${made.id}/join`, {}).catch(() => {}); // its page has the button, and says what is wrong
  location.assign(made.url);
}

// An offer of the empty list: one press makes it. `begins` counts minutes from now.
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-new]");
  if (!button) return;
  button.classList.add("sent");
  try {
    await make({ ...JSON.parse(button.dataset.new ?? "{}"), starts_at: Date.now() / 1000 + 60 * Number(button.dataset.ahead) }, true);
  } catch (problem) {
    button.classList.remove("sent");
    complain(button, problem);
  }
});

// The form. The list of tournaments has none.
const form = /** @type {HTMLFormElement} */ ($("[data-new-cup]"));
/** @type {(name: string) => Field} */
const field = (name) => /** @type {Fields<string>} */ (form.elements)[name];
if (form) {
  the("#zone").textContent = `Your time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ")}`;
  const local = new Date(Date.now() + 3600000 - new Date().getTimezoneOffset() * 60000);
  field("begins").value = `${local.toISOString().slice(0, 13)}:00`;
  field("tempo").value = "usual";
  form.addEventListener("change", suit);
  form.addEventListener("submit", (event) => (event.preventDefault(), send()));
  suit();
}

// When it starts, in seconds since 1970; null: when its organiser starts it.
function begins() {
  const data = new FormData(form), soon = data.get("soon");
  if (soon === "hand") return null;
  return soon === "at" ? new Date(String(data.get("begins"))).getTime() / 1000 : Date.now() / 1000 + 60 * Number(soon);
}

// Shows what applies to the chosen game and system.
function suit() {
  const data = new FormData(form), game = data.get("game"), system = String(data.get("system"));
  for (const one of form.querySelectorAll("[data-of]")) one.hidden = one.dataset.of !== game;
  for (const one of form.querySelectorAll("[data-systems]")) one.hidden = !one.dataset.systems?.split(" ").includes(system);
  for (const one of form.querySelectorAll("[data-own]")) one.hidden = data.get("soon") !== "at";
  const [least = 2, most = 2] = ($("[name=game]:checked", form)?.dataset.seats ?? "").split(" ").map(Number), seats = field("seats");
  for (const one of seats.options) one.hidden = one.disabled = Number(one.value) < least || Number(one.value) > most;
  if (seats.selectedOptions[0]?.disabled) seats.value = `${least}`;
  the(".says", form).textContent = the("[name=system]:checked ~ span", form).textContent;
  the("#pace small").textContent = field("tempo").selectedOptions[0]?.textContent ?? "";
  the("#named small").textContent = String(data.get("name")).trim() || "we choose a name";
}

// The request. A field that is empty, or does not apply, is left out.
function wanted() {
  const data = new FormData(form), game = String(data.get("game")), ruleset = data.get(`ruleset-${game}`), edition = data.get(`edition-${game}`);
  /** @type {Record<string, number>} */
  const numbers = {};
  for (const name of ["rounds", "minutes", "most", "seats"]) {
    if (data.get(name) && !field(name).closest("[hidden]")) numbers[name] = Number(data.get(name));
  }
  const usual = $("[name=system]:checked", form)?.dataset.title?.replace("GAME", $("[name=game]:checked ~ b", form)?.textContent ?? "").slice(0, field("name").maxLength);
  return {
    name: String(data.get("name")).trim() || usual, system: data.get("system"), game, ...(edition && { edition }), ...(ruleset && { options: { ruleset } }),
    tempo: tempo(data), ...numbers, starts_at: begins(), link: !data.has("public"), rated: data.has("rated"), bots: data.has("bots"),
    third: data.get("system") === "knock-out" && field("seats").value === "2" && data.has("third"),
  };
}

async function send() {
  const button = the("button.main", form), joins = new FormData(form).has("join");
  for (const place of form.querySelectorAll(".reason")) place.textContent = "";
  for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
  const bad = [.../** @type {Iterable<Field>} */ (form.elements)].find((one) => !one.closest("[hidden]") && !one.checkValidity());
  if (bad) return wrong(bad.name, bad.validationMessage);
  if (!((begins() ?? Infinity) > Date.now() / 1000 - 60)) return wrong("begins", "This time has passed. Choose a later one.");
  button.classList.add("sent");
  try {
    await make(wanted(), joins);
  } catch (problem) {
    button.classList.remove("sent");
    wrong(FIELDS.find(([words]) => words.test(explain(problem)))?.[1] ?? "all", explain(problem));
  }
}

// Which field a refusal of the house is about, by its words.
/** @type {[RegExp, string][]} */
const FIELDS = [[/name/i, "name"], [/seconds|hours of bank/i, "tempo"], [/can start from/i, "begins"], [/at most \d+ players/i, "most"]];

// Shows what is wrong at a field, and goes there.
/** @type {(name: string, words: string) => void} */
function wrong(name, words) {
  const place = $(`#wrong-${name}`, form) ?? the("#wrong-all", form), at = $(`[name=${name}]`, form);
  place.textContent = words;
  place.closest("details")?.setAttribute("open", "");
  at?.setAttribute("aria-invalid", "true");
  at?.focus();
  place.scrollIntoView({ block: "center" });
}
