// The tabs beside the board, which are a drawer on a phone.
import { $, the, use } from "./ui.js";

const main = the("main");

// The tab "Words": loaded when it is opened, read out by key, or used to type a move.
/** @type {(act: (read: typeof import("./read.js")) => unknown) => Promise<unknown>} */
export const inWords = (act) => use(import("./read.js"), act, the("#move"));
export function write() {
  if (main.dataset.tab === "words") inWords((read) => read.write());
}

/** @type {(name: string, open?: boolean) => void} */
export function tab(name, open = true) {
  main.dataset.tab = name;
  for (const node of document.querySelectorAll("[role=tab]")) {
    const on = node.id === `tab-${name}`;
    node.setAttribute("aria-selected", String(on));
    node.tabIndex = on ? 0 : -1;
    if (on) node.classList.remove("news");
  }
  if (name === "chat") the("[data-drawer]").classList.remove("news");
  write();
  drawer(open);
}

/** @type {(open: boolean) => void} */
export function drawer(open) {
  main.toggleAttribute("data-open", open);
  $("[data-drawer]")?.setAttribute("aria-expanded", String(open));
  const list = the('[data-key="log"]');
  list.scrollTop = list.scrollHeight;
}

// Whether a key went from one tab to another.
/** @type {(event: KeyboardEvent & { target: HTMLElement }) => boolean} */
export function turn(event) {
  if (!event.target.matches?.("[role=tab]") || !/^Arrow(Left|Right)$/.test(event.key)) return false;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : -1) + tabs.length) % tabs.length];
  tab(next.id.slice(4));
  next.focus();
  return true;
}

document.addEventListener("click", (event) => {
  /** @type {At} */
  const at = (selector) => event.target.closest?.(selector);
  const chosen = at("[role=tab]");
  if (chosen) tab(chosen.id.slice(4));
  else if (at("[data-drawer]")) drawer(!main.hasAttribute("data-open"));
  else if (at("[data-drawer-close]")) drawer(false);
  else if (at("[data-in-words]")) {
    at("dialog")?.close();
    tab("words");
  }
});
