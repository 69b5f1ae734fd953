// Every choice for a new table: what is shown, and what is sent. Loaded with the first dialog.
import { tempo } from "./tempo.js";
import { $ } from "./ui.js";

// The fields for the name of a player on this device, or of an invited player: only that of the seat's kind is shown.
const KINDS = { here: "here", invite: "link" };
const beside = (seat) => [...seat.parentElement.querySelectorAll("input")];

export function chosen(form) {
  const data = new FormData(form);
  const seats = [...form.querySelectorAll("[name=seat]")].map((seat) => {
    const [kind, bot] = seat.value.split(":"), field = beside(seat).find(({ hidden }) => !hidden), name = field?.value.trim();
    return { kind, ...(bot && { bot }), ...(name && { [field.name === "here" ? "name" : "invite"]: name }) };
  }).filter((seat) => seat.kind);
  const options = {};
  for (const [name, value] of data) if (name.startsWith("option:")) options[name.slice(7)] = value;
  const hints = data.get("hints");
  return {
    game: data.get("game"), edition: data.get("edition"), seats, options, tempo: tempo(data), absent: +data.get("absent"),
    public: data.has("public"), rated: data.has("rated"), pace: data.get("pace"), wait: data.has("wait"),
    ...(hints && { hints: hints === "on" }),
  };
}

export function show(form, showRules) {
  const { elements } = form, ruleset = elements["option:ruleset"]?.value;
  for (const seat of form.querySelectorAll("[name=seat]")) for (const one of beside(seat)) one.hidden = seat.value !== KINDS[one.name];
  for (const node of form.querySelectorAll("[data-edition]")) node.hidden = node.dataset.edition !== elements.edition.value;
  if (ruleset) showRules(form, ruleset);
  // An option that makes no difference in the chosen ruleset is not offered, and not sent.
  for (const node of form.querySelectorAll("[data-rulesets]")) {
    node.hidden = !node.dataset.rulesets.split(" ").includes(ruleset);
    if (node.localName === "label") $("select", node).disabled = node.hidden;
  }
  // Some choices can't be rated: the line below the box says which can.
  const data = new FormData(form);
  const options = [...elements].filter(({ name, disabled }) => name.startsWith("option:") && name !== "option:ruleset" && !disabled);
  const fits = [elements.edition, ...options].every(({ options: [usual] }) => usual.selected);
  elements.rated.disabled = !fits || data.getAll("seat").includes("here") || data.get("hints") === "on";
}
