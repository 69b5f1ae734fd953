// What every page has: preferences, name, clauses, error messages; and the service worker.
import "./preferences.js";

export const $ = (selector, root = document) => root.querySelector(selector);
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// Whether it is visible: drawn, and not hidden in its place. Safari has checkVisibility() from 17.4 on.
export const visible = (node) => (node.checkVisibility?.() ?? node.getClientRects().length > 0) && getComputedStyle(node).visibility === "visible";
export const unique = () => Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("");

export class Refusal extends Error {
  constructor(answer, error) {
    super(error?.message ?? `The server answered ${answer.status}.`);
    this.status = answer.status;
    this.after = Number(answer.headers.get("Retry-After") ?? 0); // seconds to wait before it is tried again
    this.clause = error?.clause ?? "";
    this.code = error?.code ?? "";
  }
}

// POST JSON. Throws Refusal when the server says no, TypeError when it cannot be reached.
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
export async function refusal(path) {
  const enough = new AbortController();
  const answer = await fetch(path, { signal: enough.signal });
  const problem = answer.ok ? null : new Refusal(answer, (await answer.json()).error);
  enough.abort();
  return problem;
}

export function explain(problem) {
  return problem instanceof Refusal ? problem.message : "We can’t reach the server right now. Nothing is lost: try again.";
}

// Shows a message near its cause, in the nearest place for it.
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

// Uses a module that is loaded on demand; if it can't be loaded, says so near the button.
export const use = (module, act, near) => module.then(act, (problem) => say(near, explain(problem)));

// Whether this is the first handler of its kind. A page that stayed open during an upgrade loads further modules with a
// ui.js of their own, and each press must be handled once.
export function first(kind) {
  const { dataset } = document.body;
  return !(kind in dataset) && (dataset[kind] = "on");
}

export function remember(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {}
  return null;
}

async function saveName(form) {
  const field = form.elements.name;
  try {
    const guest = await post("/api/me", { name: field.value });
    for (const node of document.querySelectorAll("[data-me]")) node.textContent = guest.name;
    $(".hello")?.remove();
    $("#name").close();
    document.dispatchEvent(new Event("parlour:renamed"));
  } catch (problem) {
    say(field, explain(problem));
  }
}

const showClause = (href) => import("./clause.js").then(({ show }) => show(href));

if (first("ui")) {
  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest?.(selector);
    let node;
    if ((node = at("[data-copy]"))) use(import("./copy.js"), ({ copied }) => copied(node, node.dataset.copy), node);
    else if ((node = at("[data-opens]"))) $(`#${node.dataset.opens}`).showModal();
    else if (at("dialog [data-close]")) at("dialog").close();
    else if (event.target instanceof HTMLDialogElement) event.target.close();
    else if ((node = at("a.clause")) && !at(".rules") && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      showClause(node.getAttribute("href")).catch(() => location.assign(node.href));
    } else if ((node = at("[data-hello-close]"))) {
      node.closest(".hello").remove();
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
