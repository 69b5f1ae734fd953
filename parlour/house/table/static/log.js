// The log: its new lines, and what of the page is read out.
import { parse } from "./patch.js";
import { base, find, main, part } from "./received.js";
import { write } from "./tabs.js";
import { hear, hush } from "./told.js";

/** @type {(html: string) => void} */
export function log(html) {
  const list = part("log");
  const end = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  for (const line of [...parse(html).children]) if (!find(line.dataset.key ?? "", list)) list.append(line);
  if (end) list.scrollTop = list.scrollHeight;
}

// Called after each change of the page; `more`: whether other positions are to be shown after it.
/** @type {(more: boolean) => void} */
export function listen(more) {
  if (find("curtain", base.table)) hush();
  else hear(main.dataset.eyes ?? "", more);
  write();
}
