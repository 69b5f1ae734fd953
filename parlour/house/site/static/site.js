// What every page has: preferences, name, clauses, copying; and the service worker.
import "./preferences.js";
import { $, explain, post, remember, say, the, use } from "./ui.js";

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

// The menu is shut by a press elsewhere, by choosing in it, and by Escape, which leaves the focus on it.
const menu = $("details.menu");
document.addEventListener("click", (event) => {
  if (menu && !event.target.closest?.(".menu summary")) menu.open = false;
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !menu?.open) return;
  menu.open = false;
  the("summary", menu).focus();
});
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-name-form]")) {
    event.preventDefault();
    saveName(event.target);
  }
});

// Back from the rules, to a table or replay: at the clause from which one went there.
if (/^#[A-Z]{2}-\d+$/.test(location.hash) && location.pathname.startsWith("/t/")) showClause(document.body.dataset.rules + location.hash).catch(() => {});
const { worker = "/sw.js" } = document.body.dataset; // "" where a page registers it later
if (isSecureContext && worker) navigator.serviceWorker?.register(worker).catch(() => {}); // a browser may forbid it
if (remember("parlour-hello")) $(".hello:not(.offer)")?.remove();
