// Every choice for a new table: what is shown, and what is sent. Loaded with the first dialog.
import { tempo } from "./tempo.js";
import { the } from "./ui.js";

// The fields for the name of a player on this device, or of an invited player: only that of the seat's kind is shown.
/** @type {Record<string, string>} */
const KINDS = { here: "here", invite: "link" };
/** @type {(seat: Field) => HTMLInputElement[]} */
const beside = (seat) => [.../** @type {HTMLElement} */ (seat.parentElement).querySelectorAll("input")];
const seats = (/** @type {HTMLFormElement} */ form) => /** @type {Field[]} */ ([...form.querySelectorAll("[name=seat]")]);

/** @type {(form: HTMLFormElement) => object} */
export function chosen(form) {
  const data = new FormData(form);
  const chairs = seats(form).map((seat) => {
    const [kind, bot] = seat.value.split(":"), field = beside(seat).find(({ hidden }) => !hidden), name = field?.value.trim();
    return { kind, ...(bot && { bot }), ...(field && name && { [field.name === "here" ? "name" : "invite"]: name }) };
  }).filter((seat) => seat.kind);
  /** @type {Record<string, FormDataEntryValue>} */
  const options = {};
  for (const [name, value] of data) if (name.startsWith("option:")) options[name.slice(7)] = value;
  const hints = data.get("hints");
  return {
    game: data.get("game"), edition: data.get("edition"), seats: chairs, options, tempo: tempo(data), absent: Number(data.get("absent")),
    public: data.has("public"), rated: data.has("rated"), pace: data.get("pace"), wait: data.has("wait"), programs: data.has("programs"),
    ...(hints && { hints: hints === "on" }),
  };
}

/** @type {(form: HTMLFormElement, showRules: (place: HTMLElement, ruleset?: string) => void) => void} */
export function show(form, showRules) {
  const elements = /** @type {Fields<"edition" | "rated"> & Partial<Fields<"option:ruleset">>} */ (form.elements), ruleset = elements["option:ruleset"]?.value;
  for (const seat of seats(form)) for (const one of beside(seat)) one.hidden = seat.value !== KINDS[one.name];
  for (const node of form.querySelectorAll("[data-edition]")) node.hidden = node.dataset.edition !== elements.edition.value;
  if (ruleset) showRules(form, ruleset);
  // An option that makes no difference in the chosen ruleset is not offered, and not sent.
  for (const node of form.querySelectorAll("[data-rulesets]")) {
    node.hidden = !node.dataset.rulesets?.split(" ").includes(ruleset ?? "");
    if (node.localName === "label") the("select", node).disabled = node.hidden;
  }
  // Some choices can't be rated: the line below the box says which can.
  const data = new FormData(form);
  const options = /** @type {Field[]} */ ([...elements]).filter(({ name, disabled }) => name.startsWith("option:") && name !== "option:ruleset" && !disabled);
  const fits = [elements.edition, ...options].every(({ options: [usual] }) => usual.selected);
  elements.rated.disabled = !fits || data.getAll("seat").includes("here") || data.get("hints") === "on" || data.has("programs");
}
