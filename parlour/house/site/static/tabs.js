// The tabs beside the board, which are a drawer on a phone.
import { $, use } from "./ui.js";

const main = $("main");

// The tab "Words": loaded when it is opened, read out by key, or used to type a move.
export const inWords = (act) => use(import("./read.js"), act, $("#move"));
export const write = () => main.dataset.tab === "words" && inWords((read) => read.write());

export function tab(name, open = true) {
  main.dataset.tab = name;
  for (const node of document.querySelectorAll("[role=tab]")) {
    const on = node.id === `tab-${name}`;
    node.setAttribute("aria-selected", String(on));
    node.tabIndex = on ? 0 : -1;
    if (on) node.classList.remove("news");
  }
  if (name === "chat") $("[data-drawer]").classList.remove("news");
  write();
  drawer(open);
}

export function drawer(open) {
  main.toggleAttribute("data-open", open);
  $("[data-drawer]")?.setAttribute("aria-expanded", String(open));
  const list = $('[data-key="log"]');
  list.scrollTop = list.scrollHeight;
}

// Whether a key went from one tab to another.
export function turn(event) {
  if (!event.target.matches?.("[role=tab]") || !/^Arrow(Left|Right)$/.test(event.key)) return false;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : -1) + tabs.length) % tabs.length];
  tab(next.id.slice(4));
  next.focus();
  return true;
}

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest?.(selector);
  if (at("[role=tab]")) tab(at("[role=tab]").id.slice(4));
  else if (at("[data-drawer]")) drawer(!main.hasAttribute("data-open"));
  else if (at("[data-drawer-close]")) drawer(false);
});
