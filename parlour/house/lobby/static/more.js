// Every choice for a new table: what is shown, and what is sent. Loaded with the first dialog.
import { tempo } from "./tempo.js";
import { $, the } from "./ui.js";

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

// Pass and play: the names of the players, in the game of the card whose button was pressed; or, without a button, one player more.
let game = "", ruleset = "", most = 2;
const players = () => [...the("#here").querySelectorAll("input")];
/** @type {(button: HTMLElement | undefined, wanted?: string) => void} */
export function gather(button, wanted = "") {
  const dialog = the("#here"), fields = players();
  let shown = fields.filter((field) => !(/** @type {HTMLElement} */ (field.parentElement).hidden)).length + 1;
  if (button) {
    const [least, last] = (button.dataset.players ?? "").split(" ").map(Number);
    [game, ruleset, most, shown] = [button.dataset.here ?? "", wanted, last, Math.max(2, least)];
    the("h2", dialog).textContent = `Pass and play: ${$("h3", /** @type {HTMLElement} */ (button.closest("article")))?.textContent}`;
  }
  fields.forEach((field, i) => {
    /** @type {HTMLElement} */ (field.parentElement).hidden = i >= shown;
    field.disabled = i >= shown || (i === 0 && !("unnamed" in the("main").dataset)); // a guest with a name keeps it
  });
  the("[data-another]", dialog).hidden = shown >= most;
  if (button) dialog.showModal();
  else fields[shown - 1].focus();
}

// The table's request, and the name for a guest without one, else "".
/** @type {() => [body: object, name: string]} */
export function gathered() {
  const [first, ...others] = players(), name = (/** @type {HTMLInputElement} */ (first)).value.trim();
  const chairs = others.filter(({ disabled }) => !disabled).map(({ value }) => ({ kind: "here", ...(value.trim() && { name: value.trim() }) }));
  return [{ game, seats: [{ kind: "me" }, ...chairs], ...(ruleset && { options: { ruleset } }) }, first.disabled ? "" : name];
}
