// What every page has: preferences, name, clauses, error messages; and the service worker.
import "./preferences.js";

/** @type {Find} */
export const $ = (selector, root = document) => root.querySelector(selector);
// The same for what is surely there.
export const the = /** @type {The} */ ($);
/** @type {(ms: number) => Promise<void>} */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const focused = () => /** @type {HTMLElement} */ (document.activeElement ?? document.body);
// Whether it is visible: drawn, and not hidden in its place. Safari has checkVisibility() from 17.4 on.
/** @type {(node: Element) => boolean} */
export const visible = (node) => (node.checkVisibility?.() ?? node.getClientRects().length > 0) && getComputedStyle(node).visibility === "visible";
export const unique = () => Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("");

export class Refusal extends Error {
  /** @param {Response} answer @param {Refused} [error] */
  constructor(answer, error) {
    super(error?.message ?? `The server answered ${answer.status}.`);
    this.status = answer.status;
    this.after = Number(answer.headers.get("Retry-After") ?? 0); // seconds to wait before it is tried again
    this.clause = error?.clause ?? "";
    this.code = error?.code ?? "";
  }
}

// POST JSON. Throws Refusal when the server says no, TypeError when it cannot be reached.
/**
 * @template {string} P
 * @param {P} path
 * @param {object} [body]
 * @returns {Promise<Posted<P>>}
 */
export async function post(path, body = {}) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer, data.error);
  return data;
}

// Why a stream is refused, which an EventSource doesn't say; null if it would open now.
/** @param {string} path */
export async function refusal(path) {
  const enough = new AbortController();
  const answer = await fetch(path, { signal: enough.signal });
  const problem = answer.ok ? null : new Refusal(answer, (await answer.json()).error);
  enough.abort();
  return problem;
}

/** @param {unknown} problem */
export function explain(problem) {
  return problem instanceof Refusal ? problem.message : "We can’t reach the server right now. Nothing is lost: try again.";
}

// What can be made of chosen parts, as their button says.
/** @type {(button: HTMLElement) => Picking} */
export const picking = (button) => JSON.parse(button.dataset.pick ?? "");

// Shows a message near its cause, in the nearest place for it.
/** @param {Element} near @param {string} words @param {string} [clause] */
export function say(near, words, clause = "") {
  const place = near.closest(":is(form, section, li, .card, main):has(.reason)")?.querySelector(".reason") ?? $(".reason");
  if (!place) return;
  place.textContent = words;
  const { rules } = document.body.dataset;
  if (!clause || !rules) return;
  const link = document.createElement("a");
  link.className = "clause";
  link.href = `${rules}#${clause}`;
  link.textContent = clause;
  place.append(" ", link);
}

// The same for what was thrown, with the clause that forbids it.
/** @param {Element} near @param {unknown} problem */
export const complain = (near, problem) => say(near, explain(problem), problem instanceof Refusal ? problem.clause : "");

// Uses a module that is loaded on demand; if it can't be loaded, says so near the button.
/** @type {<M>(module: Promise<M>, act: (loaded: M) => unknown, near: Element) => Promise<unknown>} */
export const use = (module, act, near) => module.then(act, (problem) => say(near, explain(problem)));

// Whether this is the first handler of its kind. A page that stayed open during an upgrade loads further modules with a
// ui.js of their own, and each press must be handled once.
/** @param {string} kind */
export function first(kind) {
  const { dataset } = document.body;
  return !(kind in dataset) && (dataset[kind] = "on");
}

/** @param {string} name @param {string} [value] @returns {string | null} */
export function remember(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {}
  return null;
}

/** @param {HTMLFormElement} form */
async function saveName(form) {
  const field = /** @type {Fields<"name">} */ (form.elements).name;
  try {
    const guest = await post("/api/me", { name: field.value });
    for (const node of document.querySelectorAll("[data-me]")) node.textContent = guest.name;
    $(".hello")?.remove();
    the("#name").close();
    document.dispatchEvent(new Event("parlour:renamed"));
  } catch (problem) {
    say(field, explain(problem));
  }
}

/** @type {(href: string) => Promise<void>} */
const showClause = (href) => import("./clause.js").then(({ show }) => show(href));

if (first("ui")) {
  document.addEventListener("click", (event) => {
    /** @type {At} */
    const at = (selector) => event.target.closest?.(selector);
    const copies = at("[data-copy]"), opens = at("[data-opens]"), link = at("a.clause");
    if (copies) use(import("./copy.js"), ({ copied }) => copied(copies, copies.dataset.copy ?? ""), copies);
    else if (opens) /** @type {HTMLDialogElement} */ (the(`#${opens.dataset.opens}`)).showModal();
    else if (at("dialog [data-close]")) at("dialog")?.close();
    else if (event.target instanceof HTMLDialogElement) event.target.close();
    else if (link && !at(".rules") && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      showClause(link.getAttribute("href") ?? "").catch(() => location.assign(link.href));
    } else if (at("[data-hello-close]")) {
      at(".hello")?.remove();
      remember("parlour-hello", "later");
    }
  });
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-name-form]")) {
      event.preventDefault();
      saveName(event.target);
    }
  });

  // Back from the rules, to a table or replay: at the clause from which one went there.
  if (/^#[A-Z]{2}-\d+$/.test(location.hash) && location.pathname.startsWith("/t/")) showClause(document.body.dataset.rules + location.hash).catch(() => {});
  if (isSecureContext) navigator.serviceWorker?.register("/sw.js").catch(() => {}); // a browser may forbid it
  if (remember("parlour-hello")) $(".hello:not(.offer)")?.remove();
}
