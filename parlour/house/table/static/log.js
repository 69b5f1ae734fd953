// The log: its new lines, and what of the page is read out.
import { parse } from "./patch.js";
import { base, find, main, part } from "./received.js";
import { write } from "./tabs.js";
import { hear, hush } from "./told.js";

let follows = true; // whether it is read at its end; to measure that with each line would lay out the page once more
part("log").addEventListener("scroll", ({ currentTarget }) => {
  const list = /** @type {HTMLElement} */ (currentTarget);
  follows = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
}, { passive: true });

/** @type {(html: string) => void} */
export function log(html) {
  const list = part("log");
  for (const line of [...parse(html).children]) if (!find(line.dataset.key ?? "", list)) list.append(line);
  if (follows) requestAnimationFrame(() => (list.scrollTop = list.scrollHeight)); // with the layout that this frame needs anyway
}

// Called after each change of the page; `more`: whether other positions are to be shown after it.
/** @type {(more: boolean) => void} */
export function listen(more) {
  if (find("curtain", base.table)) hush();
  else hear(main.dataset.eyes ?? "", more);
  write();
}
