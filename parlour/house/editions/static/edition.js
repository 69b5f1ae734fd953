// The numbers of an edition: the house checks what is typed and draws the page again; then tables are made, and links sent.
import { patch } from "./patch.js";
import { $, Refusal, complain, explain, post, the, use } from "./ui.js";

const main = the("main"), form = () => the("form.values", main);
const fields = () => /** @type {Field[]} */ ([...form().querySelectorAll("[name]")]);
let asked = 0, looking = Promise.resolve(true); // the last look, and whether the page shows what is typed

// The address of this page with all that was typed.
function typed() {
  const query = new URLSearchParams();
  for (const { name, value, dataset } of fields()) if (value !== dataset.usual) query.append(name, value);
  return `${form().getAttribute("action")}?${query}`;
}

// Draws the page as the house does for what is typed now. What was typed stays, and so does the focus.
/** @type {() => Promise<boolean>} */
async function look() {
  const mine = ++asked;
  try {
    const answer = await fetch(typed(), { headers: { Accept: "text/html" } });
    const fresh = $("main", new DOMParser().parseFromString(await answer.text(), "text/html"));
    if (mine !== asked) return looking;
    if (!answer.ok || !fresh) throw new Refusal(answer);
    patch(main, fresh);
    history.replaceState(null, "", fresh.dataset.address);
    the(".go .reason").textContent = "";
    return true;
  } catch (problem) {
    complain(the(".go .reason"), problem);
    return false;
  }
}
const check = () => (looking = look());

// Puts a value, or all of them, back to what the edition says.
/** @type {(path: string) => void} */
function putBack(path) {
  const these = fields().filter(({ name, type }) => (!path || name === path) && String(type) !== "hidden");
  for (const field of these) field.value = field.dataset.usual ?? "";
  (path ? these[0] : the("h1"))?.focus();
  check();
}

/** @type {(button: HTMLElement) => Promise<void>} */
async function start(button) {
  if (!(await looking)) return;
  const body = button.dataset.start; // none while something is wrong
  if (!body) {
    the(".faults").focus();
    return;
  }
  button.classList.add("sent");
  try {
    location.assign((await post("/api/tables", JSON.parse(body))).url);
  } catch (problem) {
    complain(button, problem);
  }
  button.classList.remove("sent");
}

document.addEventListener("change", (event) => form().contains(event.target) && check());
// What was typed before this script came is checked now.
if (fields().some((field) => field instanceof HTMLInputElement && field.value !== field.defaultValue)) check();

// Makes the playtest of what is typed; without a script the form does.
/** @type {(making: HTMLFormElement) => Promise<void>} */
async function test(making) {
  if (!(await looking)) return;
  const body = making.dataset.playtest; // none while something is wrong
  if (!body) return the(".faults").focus();
  const { name } = /** @type {Fields<"name">} */ (making.elements);
  try {
    const { id } = await post("/api/playtests", { ...JSON.parse(body), name: name.value });
    location.assign(`/playtests/${id}`);
  } catch (problem) {
    the("[data-key=make-reason]").textContent = explain(problem);
  }
}

document.addEventListener("submit", async (event) => {
  if (event.target.matches("form.make")) {
    event.preventDefault();
    test(event.target);
  }
  if (!event.target.matches("form.values")) return;
  event.preventDefault();
  if (await check()) (the(".faults").hidden ? the("[data-key=go]") : the(".faults")).focus();
});
document.addEventListener("click", (event) => {
  /** @type {At} */
  const at = (selector) => event.target.closest?.(selector);
  const back = at("[data-back]"), button = at("button[data-key^=start-]"), sends = at("[data-share]");
  if (back) {
    event.preventDefault();
    putBack(back.dataset.back ?? "");
  } else if (button) start(button);
  else if (sends) use(import("./share.js"), async ({ share }) => (await looking) && share(sends), sends);
});
