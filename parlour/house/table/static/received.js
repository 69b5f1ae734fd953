// What the page of a table has received last of the scene and the rest, untouched, and their marks; and what is on it.
import { $, the } from "./ui.js";

export const main = the("main");
/** @type {`/api/tables/${string}`} */
export const api = `/api/tables/${main.dataset.table}`;
/** @type {(key: string, root?: ParentNode) => HTMLElement | null} */
export const find = (key, root) => $(`[data-key="${CSS.escape(key)}"]`, root);
export const part = /** @type {(key: string, root?: ParentNode) => HTMLElement} */ (find); // what is surely there

/** @type {(page: ParentNode) => Base} */
export function received(page) {
  const [scene, table] = ["scene", "table"].map((key) => /** @type {Element} */ (part(key, page).cloneNode(true)));
  return { scene, table, marks: /** @type {Marks} */ (the("main", page).dataset.have?.split(".")) };
}
export const base = received(document);
