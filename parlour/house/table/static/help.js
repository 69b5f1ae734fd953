// The keys that work now, and what they do.
import { the } from "./ui.js";

/** @type {Record<string, string>} */
const ALSO = { Enter: ", Space", Backspace: ", u" };
export function keys() {
  const rows = [...document.querySelectorAll(".scene [data-shortcut]")].map((node) => {
    const row = document.createElement("li"), cap = document.createElement("kbd"), { shortcut = "" } = node.dataset;
    cap.textContent = shortcut + (ALSO[shortcut] ?? "");
    row.append(cap, " ", node.getAttribute("aria-label") ?? node.firstElementChild?.textContent ?? "");
    return row;
  });
  the("#keys .now").replaceChildren(...rows);
  the("#keys").showModal();
}
