// Quick messages; and muting, blocking and reporting people at the table. Loaded with the first press.
import { $, explain, post, say, unique } from "./ui.js";

const table = $("main").dataset.table, box = $("#whom"), told = $("[role=status]", box), report = $("form", box);
const DONE = {
  mute: [(name) => `${name} is no longer muted.`, (name) => `You no longer see messages from ${name}.`],
  block: [(name) => `${name} is no longer blocked.`, (name) => `${name} is blocked: you won’t see their tables, invitations or messages.`],
};
let whom, name, marks; // the person as the server identifies them; their name; whether muted or blocked

// Sends a quick message. A second press before the answer does nothing.
async function utter(button) {
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  try {
    await post(`/api/tables/${table}/chat`, { text: button.textContent, id: unique() });
    say($("#say"), "");
  } catch (problem) {
    say($("#say"), explain(problem));
  }
  button.ariaDisabled = "false";
}

function open(button) {
  whom = JSON.parse(button.dataset.whom);
  name = button.dataset.name;
  marks = new Set(button.dataset.marks.split(" "));
  $("h2 bdi", box).textContent = name;
  const quote = $("blockquote", box), line = button.closest("[data-line]");
  quote.hidden = !line;
  quote.textContent = line ? $("q", line).textContent : "";
  told.textContent = "";
  for (const place of box.querySelectorAll(".reason")) place.textContent = "";
  report.closest("details").open = false;
  report.reset();
  label();
  box.showModal();
}

function label() {
  for (const button of box.querySelectorAll("[data-mark]")) {
    const on = marks.has(button.dataset.mark);
    $("span", button).textContent = on ? button.dataset.lift : button.dataset.do;
    button.setAttribute("aria-pressed", String(on));
  }
}

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
export function mind(button) {
  const { phrase, whom, again } = button.dataset;
  if (phrase !== undefined) utter(button);
  else if (whom) open(button);
  else mark("mute", true, JSON.parse(again), "", button);
}

box.addEventListener("click", async (event) => {
  const node = event.target.closest("[data-mark]");
  if (!node) return;
  const kind = node.dataset.mark, off = marks.has(kind), words = await mark(kind, off, whom, name, node);
  if (!words) return;
  if (off) marks.delete(kind);
  else marks.add(kind);
  told.textContent = words;
  label();
});

report.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await post("/api/me/report", { table, ...whom, ...Object.fromEntries(new FormData(report)) });
    report.closest("details").open = false;
    report.reset();
    told.textContent = "Reported. A moderator will read it, with the chat around it. We don’t tell anyone at the table.";
  } catch (problem) {
    say(report, explain(problem));
  }
});
