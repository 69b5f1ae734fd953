// What scripts share: finding elements, asking the server, saying what was wrong. It imports only note.js, which
// imports nothing.
/** @type {Find} */
export const $ = (selector, root = document) => root.querySelector(selector);
// The same for what is surely there.
export const the = /** @type {The} */ ($);
/** @type {(ms: number) => Promise<void>} */
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// Whether it is visible: drawn, and not hidden in its place. Safari has checkVisibility() from 17.4 on.
/** @type {(node: Element) => boolean} */
export const visible = (node) => node.checkVisibility?.({ checkVisibilityCSS: true }) ?? (node.getClientRects().length > 0 && getComputedStyle(node).visibility === "visible");
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

// Shows a message at its cause. It is written in the nearest place for it, which is read out; note.js draws it at the cause
// if that is farther away.
/** @type {typeof import("./note.js") | null} */
let note = null;
const noting = async () => (note ??= await import("./note.js"));
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => void noting().catch(() => {}), { capture: true, once: true });
/** @param {Element} near @param {string} words @param {string} [clause] */
export function say(near, words, clause = "") {
  const place = near.closest(":is(form, article, section, li, main):has(.reason)")?.querySelector(".reason") ?? $(".reason");
  if (!place) return;
  note?.clear();
  const { rules } = document.body.dataset;
  /** @type {(string | Node)[]} */
  const parts = [words];
  if (clause && rules) {
    const link = document.createElement("a");
    link.className = "clause";
    link.href = `${rules}#${clause}`;
    link.textContent = clause;
    parts.push(" ", link);
  }
  place.replaceChildren(...parts); // at once: a reader takes it as one thing
  const said = place.textContent;
  if (words && note) note.point(place, near);
  else if (words) noting().then(({ point }) => place.textContent === said && point(place, near), () => {});
  if (clause && rules) document.dispatchEvent(new CustomEvent("parlour:refused", { detail: clause }));
}

// The same for what was thrown, with the clause that forbids it.
/** @param {Element} near @param {unknown} problem */
export const complain = (near, problem) => say(near, explain(problem), problem instanceof Refusal ? problem.clause : "");

// Uses a module that is loaded on demand; if it can't be loaded, says so near the button.
/** @type {<M>(module: Promise<M>, act: (loaded: M) => unknown, near: Element) => Promise<unknown>} */
export const use = (module, act, near) => module.then(act, (problem) => say(near, explain(problem)));

/** @param {string} name @param {string} [value] @returns {string | null} */
export function remember(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {}
  return null;
}
