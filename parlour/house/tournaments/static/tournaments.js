// The list of tournaments, and the form for a new one.
import "./countdown.js";
import { tempo } from "./tempo.js";
import { $, Refusal, complain, explain, post, the } from "./ui.js";

/** @type {(body: object, joins: boolean) => Promise<void>} */
async function make(body, joins) {
  const made = await post("/api/tournaments", body);
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

const form = /** @type {HTMLFormElement | null} */ ($("[data-new-cup]"));
if (form) {
  the("#zone").textContent = `Your time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ")}`;
  const own = /** @type {HTMLInputElement} */ (the("[name=begins]"));
  const local = new Date(Date.now() + 3600000 - new Date().getTimezoneOffset() * 60000);
  own.value = `${local.toISOString().slice(0, 13)}:00`;
  form.addEventListener("input", () => shown(form));
  form.addEventListener("change", () => shown(form));
  form.addEventListener("submit", (event) => (event.preventDefault(), send(form)));
  shown(form);
}

/** @type {(data: FormData) => number} seconds since 1970 */
function begins(data) {
  const soon = data.get("soon");
  return soon ? Date.now() / 1000 + 60 * Number(soon) : new Date(String(data.get("begins"))).getTime() / 1000;
}

// What applies to the chosen game and system.
/** @type {(form: HTMLFormElement) => void} */
function shown(form) {
  const data = new FormData(form), game = data.get("game"), system = String(data.get("system"));
  for (const one of form.querySelectorAll("[data-of]")) one.hidden = one.dataset.of !== game;
  for (const one of form.querySelectorAll("[data-systems]")) one.hidden = !one.dataset.systems?.split(" ").includes(system);
  for (const one of form.querySelectorAll("[data-own]")) one.hidden = !!data.get("soon");
  for (const one of /** @type {NodeListOf<HTMLOptionElement>} */ (form.querySelectorAll("[name=seats] option"))) {
    const [least = 2, most = 2] = ($("[name=game]:checked", form)?.dataset.seats ?? "").split(" ").map(Number);
    one.hidden = one.disabled = Number(one.value) < least || Number(one.value) > most;
    if (one.disabled && one.selected) /** @type {HTMLSelectElement} */ (one.parentElement).value = `${least}`;
  }
}

// The request; a field that is left empty is left out.
/** @type {(form: HTMLFormElement) => object} */
function body(form) {
  const data = new FormData(form), game = String(data.get("game")), system = data.get("system"), ruleset = data.get(`ruleset-${game}`);
  /** @type {Record<string, number>} */
  const numbers = {};
  for (const name of ["rounds", "minutes", "most", "seats"]) {
    const field = $(`[name=${name}]`, form), value = data.get(name);
    if (value && !field?.closest("[hidden]")) numbers[name] = Number(value);
  }
  const name = String(data.get("name")).trim() || the(`[name=system][value=${system}]`, form).dataset.title?.replace("GAME", $("[name=game]:checked ~ b", form)?.textContent ?? "");
  return {
    name, system, game, ...(ruleset && { options: { ruleset } }), tempo: tempo(data), ...numbers,
    starts_at: begins(data), link: !data.has("public"), rated: data.has("rated"), bots: data.has("bots"),
  };
}

/** @type {(form: HTMLFormElement) => Promise<void>} */
async function send(form) {
  const button = the("button.main", form), data = new FormData(form);
  for (const place of form.querySelectorAll(".reason")) place.textContent = "";
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input"))) {
    if (!field.closest("[hidden]") && !field.checkValidity()) return wrong(form, field.name, field.validationMessage);
  }
  if (!(begins(data) > Date.now() / 1000 - 60)) return wrong(form, "begins", "This time has passed. Choose a later one.");
  button.classList.add("sent");
  try {
    await make(body(form), data.has("join"));
  } catch (problem) {
    button.classList.remove("sent");
    wrong(form, problem instanceof Refusal ? FIELDS.find(([words]) => words.test(problem.message))?.[1] ?? "all" : "all", explain(problem));
  }
}

// Which field a refusal of the house is about, by its words.
/** @type {[RegExp, string][]} */
const FIELDS = [[/name/i, "name"], [/seconds|hours of bank/i, "tempo"], [/can start from/i, "begins"], [/at most \d+ players/i, "most"]];

// Shows what is wrong at a field, and goes there.
/** @type {(form: HTMLFormElement, name: string, words: string) => void} */
function wrong(form, name, words) {
  const place = $(`#wrong-${name}`, form) ?? the("#wrong-all", form), field = $(`[name=${name}]`, form);
  place.textContent = words;
  field?.setAttribute("aria-invalid", "true");
  (field ?? place).focus();
  place.scrollIntoView({ block: "center" });
}
