// What every page has: preferences, name, copying, asking about a clause, telling what went wrong; and what stands by.
import "./preferences.js";

export const $ = (selector, root = document) => root.querySelector(selector);
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
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

// Why a stream is refused, which an EventSource does not tell; null if it would be given now.
export async function refusal(path) {
  const enough = new AbortController();
  const answer = await fetch(path, { signal: enough.signal });
  const problem = answer.ok ? null : new Refusal(answer, (await answer.json()).error);
  enough.abort();
  return problem;
}

export function explain(problem) {
  return problem instanceof Refusal ? problem.message : "The server cannot be reached just now. Nothing is lost: try again.";
}

// Say something where it arose: in the nearest place for it.
export function say(near, words, clause = "") {
  const place = near.closest(":is(form, section, li, .card, main):has(.reason)")?.querySelector(".reason") ?? $(".reason");
  if (!place) return;
  place.textContent = words;
  if (!clause) return;
  const link = document.createElement("a");
  link.className = "clause";
  link.href = `${document.body.dataset.rules ?? ""}#${clause}`;
  link.textContent = clause;
  place.append(" ", link);
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

// Copy words, and say so on the button.
export async function copied(button, told) {
  const words = button.querySelector("span") ?? button;
  button.dataset.was ??= words.textContent;
  try {
    await navigator.clipboard.writeText(told);
    words.textContent = "Copied";
  } catch {
    const field = button.parentElement.querySelector("input");
    field?.select();
    words.textContent = field && document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
  }
  await wait(1600);
  words.textContent = button.dataset.was;
}

let rulebook;
async function showClause(link) {
  const [address, clause] = link.getAttribute("href").split("#");
  rulebook ??= fetch(address).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)));
  try {
    const page = new DOMParser().parseFromString(await rulebook, "text/html");
    const words = page.getElementById(clause);
    if (!words) throw new Error("no such clause");
    const box = $("#clause");
    $(".words", box).replaceChildren(...words.childNodes);
    $("a.whole", box).href = link.href;
    box.showModal();
  } catch {
    rulebook = undefined;
    location.href = link.href;
  }
}

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest?.(selector);
  let node;
  if ((node = at("[data-copy]"))) copied(node, node.dataset.copy);
  else if ((node = at("[data-opens]"))) $(`#${node.dataset.opens}`).showModal();
  else if (at("dialog [data-close]")) at("dialog").close();
  else if (event.target instanceof HTMLDialogElement) event.target.close();
  else if ((node = at("a.clause")) && $("#clause") && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    showClause(node);
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

if (isSecureContext) navigator.serviceWorker?.register("/sw.js").catch(() => {}); // a browser may be told to keep none
if (remember("parlour-hello")) $(".hello:not(.offer)")?.remove();
