// Quick messages; and muting, blocking and reporting people at the table. Loaded with the first press.
import { explain, post, say, the, unique } from "./ui.js";

const table = the("main").dataset.table, box = the("#whom"), status = the("[role=status]", box), report = the("form", box);
const details = the("details", box);
/** @type {Record<string, ((name: string) => string)[]>} */
const DONE = {
  mute: [(name) => `${name} is no longer muted.`, (name) => `You no longer see messages from ${name}.`],
  block: [(name) => `${name} is no longer blocked.`, (name) => `${name} is blocked: you won’t see their tables, invitations or messages.`],
};
/** @type {string} */
let name;
/** @type {object} */
let whom; // the person, as the server identifies them
/** @type {Set<string | undefined>} */
let marks; // whether muted or blocked

// Sends a quick message. A second press before the answer does nothing.
/** @type {(button: HTMLElement) => Promise<void>} */
async function utter(button) {
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  try {
    await post(`/api/tables/${table}/chat`, { text: button.textContent, id: unique() });
    say(the("#say"), "");
  } catch (problem) {
    say(the("#say"), explain(problem));
  }
  button.ariaDisabled = "false";
}

/** @type {(button: HTMLElement) => void} */
function open(button) {
  const { dataset } = button;
  whom = JSON.parse(dataset.whom ?? "null");
  name = dataset.name ?? "";
  marks = new Set(dataset.marks?.split(" "));
  the("h2 bdi", box).textContent = name;
  const quote = the("blockquote", box), line = button.closest("[data-line]");
  quote.hidden = !line;
  quote.textContent = line ? the("q", line).textContent : "";
  status.textContent = "";
  for (const place of box.querySelectorAll(".reason")) place.textContent = "";
  details.open = false;
  report.reset();
  label();
  box.showModal();
}

function label() {
  for (const button of box.querySelectorAll("[data-mark]")) {
    const on = marks.has(button.dataset.mark);
    the("span", button).textContent = (on ? button.dataset.lift : button.dataset.do) ?? "";
    button.setAttribute("aria-pressed", String(on));
  }
}

/** @type {(kind: keyof typeof DONE, off: boolean, about: object, called: string, near: Element) => Promise<string>} */
async function mark(kind, off, about, called, near) {
  try {
    await post(`/api/me/${kind}`, { table, ...about, off });
    return DONE[kind][off ? 0 : 1](called);
  } catch (problem) {
    say(near, explain(problem));
    return "";
  }
}

// Handles a press of a quick message, of a person's button, or of Unmute.
/** @type {(button: HTMLElement) => void} */
export function mind(button) {
  const { dataset } = button;
  if ("phrase" in dataset) utter(button);
  else if (dataset.whom) open(button);
  else mark("mute", true, JSON.parse(dataset.again ?? "null"), "", button);
}

box.addEventListener("click", async (event) => {
  const node = event.target.closest("[data-mark]");
  if (!node) return;
  const kind = /** @type {keyof typeof DONE} */ (node.dataset.mark), off = marks.has(kind), words = await mark(kind, off, whom, name, node);
  if (!words) return;
  if (off) marks.delete(kind);
  else marks.add(kind);
  status.textContent = words;
  label();
});

report.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await post("/api/me/report", { table, ...whom, ...Object.fromEntries(new FormData(report)) });
    details.open = false;
    report.reset();
    status.textContent = "Reported. A moderator will read it, with the chat around it. We don’t tell anyone at the table.";
  } catch (problem) {
    say(report, explain(problem));
  }
});
