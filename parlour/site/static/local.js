// Stands in for a house: what the scripts of a table ask a server, the page's own worker answers, and its messages are the
// stream's. Loaded before those scripts, which are the house's own.
import { $, explain, post, remember, say, the } from "./ui.js";

const main = the("main"), { game, ruleset, table } = main.dataset;
const saved = `parlour-game-${game}-${ruleset}`; // the game under way, to be continued after a reload
const api = `/api/tables/${table}/`;
const { worker } = /** @type {{ worker: Worker & { failed?: boolean } }} */ (/** @type {unknown} */ (globalThis)); // begin.js
/** @type {Map<number, (answer: Response) => void>} */
const asked = new Map();
/** @type {Stream | null} */
let open = null;
let known = 0, begun = false;

class Stream extends EventTarget {
  static OPEN = 1;
  static CLOSED = 2;
  readyState = 1;
  onopen = () => {};
  onerror = () => {};
  /** @param {string} address */
  constructor(address) {
    super();
    this.url = address;
    open = this;
    worker.postMessage({ since: Number(new URL(address, location.href).searchParams.get("since")) });
    queueMicrotask(() => this.onopen());
  }
  close() {
    this.readyState = 2;
    if (open === this) open = null;
  }
}
Object.assign(globalThis, { EventSource: Stream });

const far = fetch;
/** @type {typeof fetch} */
const near = (what, settings) => {
  if (what === location.href) return Promise.reject(new TypeError()); // the page is not a whole table: the stream has it
  if (typeof what !== "string" || !what.startsWith("/api/")) return far(what, settings);
  if (!what.startsWith(api)) return Promise.resolve(new Response("{}")); // preferences: the page stores them itself
  const id = ++known;
  const [deed, asks] = what.slice(api.length).split("?");
  worker.postMessage({ id, deed, body: String(settings?.body ?? JSON.stringify(Object.fromEntries(new URLSearchParams(asks)))) });
  return new Promise((resolve) => asked.set(id, resolve));
};
globalThis.fetch = near;

worker.addEventListener("message", ({ data }) => {
  if (data.failed) return failed();
  if (data.id) {
    const [status, answer] = JSON.parse(data.answer);
    asked.get(data.id)?.(new Response(JSON.stringify(answer), { status }));
    asked.delete(data.id);
  }
  if (!data.update) return;
  if (JSON.parse(data.update).fresh) main.removeAttribute("data-board"); // another game: its result comes first again
  remember(saved, data.saved);
  open?.dispatchEvent(new MessageEvent("update", { data: data.update }));
  if (!begun) keep();
  begun = true;
});
worker.addEventListener("error", failed);
if (worker.failed) failed();

function failed() {
  const words = "Python can’t be loaded right now. Check the connection, and reload this page.";
  wait(false);
  for (const one of asked.values()) one(new Response(JSON.stringify({ error: { code: "not-loaded", message: words } }), { status: 503 }));
  asked.clear();
  say($("[data-start]") ?? main, words);
}

// Stores the site for use without a connection: now, when nothing waits for the files any more.
function keep() {
  if (isSecureContext) navigator.serviceWorker?.register("sw.js").catch(() => {});
}

/** @type {(waits: boolean) => void} */
function wait(waits) {
  for (const one of document.querySelectorAll("[data-start] button")) one.disabled = waits;
  const line = $("[data-loading]");
  if (line) line.hidden = !waits;
}

/** @type {(deed: string, body: object) => Promise<void>} */
async function begin(deed, body) {
  wait(true);
  try {
    await post(`${api}${deed}`, body);
  } catch (problem) {
    say($("[data-start]") ?? main, explain(problem));
    wait(false);
  }
}

const form = /** @type {HTMLFormElement} */ (the("form[data-start]"));
/** @type {(lesson: boolean) => void} */
function start(lesson) {
  const said = Object.fromEntries(new FormData(form));
  remember("parlour-name", String(said.name));
  if (lesson) remember(`parlour-guide-${game}-${ruleset}`, "seen"); // a lesson says the same as the first steps, and more
  begin("start", { ...said, lesson });
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-start]")) return;
  event.preventDefault();
  start(false);
});
document.addEventListener("click", (event) => {
  /** @type {At} */
  const at = (selector) => event.target.closest?.(selector);
  if (at("[data-lesson-start]")) start(true);
  else if (at("[data-continue]")) begin("continue", JSON.parse(remember(saved) ?? "{}"));
  else if (at("[data-record]")) download();
});

async function download() {
  const { record = "" } = await post(`${api}record`);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([record], { type: "text/plain" })), download: `${game}.txt` });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @type {Fields<"name">} */ (form.elements).name.value = remember("parlour-name") ?? "";
the("[data-continue]").hidden = !remember(saved);
function learn() {
  if (location.hash !== "#lesson") return;
  history.replaceState(null, "", location.pathname + location.search);
  start(true);
}
addEventListener("hashchange", learn);
learn();
