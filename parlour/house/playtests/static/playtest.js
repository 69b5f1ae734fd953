// At a table of a playtest: asks once for consent, notes refusals and opened clauses of those who agreed, and asks the
// questions after the game. A no is remembered in this browser alone.
import { $, complain, post, remember, the } from "./ui.js";

const dialog = the("#playtest"), main = the("main"), { playtest = "" } = dialog.dataset;
const api = `/api/tables/${main.dataset.table}`, SAID_NO = `parlour-playtest-${playtest}`;
const AFTER = 2500; // ms for which the result is shown before the questions
const noted = new Set(); // what was noted in the present position
let at = "", asked = false, over = 0;

const agreed = () => dialog.dataset.state !== "ask";
const ended = () => ["over", "closed"].includes(main.dataset.status ?? "");
/** @type {(state: string) => void} */
function open(state) {
  dialog.dataset.state = state;
  if (!dialog.open) dialog.showModal();
}

/** @type {(kind: string) => (event: Event) => void} */
const note = (kind) => (event) => {
  const clause = /** @type {CustomEvent<string>} */ (event).detail, version = main.dataset.version ?? "0";
  if (!agreed() || !$('[data-key="table"][data-seated]')) return;
  if (version !== at) noted.clear();
  at = version;
  if (noted.has(kind + clause)) return;
  noted.add(kind + clause);
  post(`${api}/note`, { kind, clause }).catch(() => {}); // a note is not worth a message
};
document.addEventListener("parlour:refused", note("refused"));
document.addEventListener("parlour:clause", note("opened"));

// Asks a player who sits down, and later one whose game is over, when nothing else is open.
function look() {
  if ($("dialog[open]") || !$('[data-key="table"][data-seated]')) return;
  if (!agreed() && !asked && remember(SAID_NO) !== "no") {
    asked = true;
    open("ask");
  }
  if (!agreed() || "answered" in dialog.dataset || !ended()) return;
  if (!over) over = Date.now();
  else if (Date.now() - over > AFTER && over !== Infinity) {
    over = Infinity; // once; later by the button
    open("questions");
  }
}
setInterval(look, 500);
look();

the("[data-playtest-button]").addEventListener("click", () => {
  if (!agreed()) return open("ask");
  open("answered" in dialog.dataset ? "done" : ended() ? "questions" : "agreed");
});

dialog.addEventListener("click", async (event) => {
  /** @type {At} */
  const from = (selector) => event.target.closest?.(selector);
  const button = from("[data-consent]"), agree = button?.dataset.consent === "true";
  if (from("[data-again]")) return open("questions");
  if (!button) return;
  remember(SAID_NO, agree ? "" : "no");
  asked = true;
  try {
    if (agree || agreed()) await post(`/api/playtests/${playtest}/consent`, { agree });
    dialog.dataset.state = agree ? "agreed" : "ask";
    if (!agree) delete dialog.dataset.answered;
    dialog.close();
  } catch (problem) {
    complain(button, problem);
  }
});

the("[data-answers]").addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(event.target), words = data.get("words");
  data.delete("words");
  try {
    await post(`${api}/answers`, { ...Object.fromEntries([...data].map(([name, value]) => [name, Number(value)])), words });
    dialog.dataset.answered = "";
    open("done");
  } catch (problem) {
    complain(event.target, problem);
  }
});
