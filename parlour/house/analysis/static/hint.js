// Hints for the player who asks; the next position removes them, and so does a second press, as a long one on a phone covers
// the lower edge of the board. What it rings on the board stays. Loaded with the first press.
import { tell } from "./told.js";
import { $, complain, post, the } from "./ui.js";

const { dataset } = the("main");
/** @type {(key: string) => HTMLElement} */
const find = (key) => the(`[data-key="${key}"]`);
const now = () => Number(dataset.version);

/** @type {(node: HTMLElement) => Promise<void>} */
export async function hint(node) {
  const list = find("hints"), version = now();
  if (node.matches(".sent")) return;
  if (list.firstElementChild) {
    list.removeAttribute("tabindex");
    list.replaceChildren();
    return tell("The hint is closed.");
  }
  node.classList.add("sent");
  find("reason").textContent = "";
  list.removeAttribute("tabindex");
  list.textContent = "Thinking …";
  try {
    const { choices, holds } = await post(`/api/tables/${dataset.table}/hint`, { version });
    if (version !== now()) return;
    const best = document.createElement("ol");
    best.append(...choices.map(({ words, chance, within, equal }, at) => {
      const row = document.createElement("li"), name = document.createElement("span"), share = document.createElement("b");
      name.textContent = words;
      const sure = within ? ` ± ${Math.max(1, Math.round(100 * within))}` : "";
      share.textContent = chance === null ? "not analysed" : `${Math.round(100 * chance)}${sure} %`;
      row.append(name, " ", share, at && equal ? " as good" : "");
      return row;
    }));
    const why = document.createElement("p");
    const { because, then } = choices[0];
    why.textContent = [because && `Because ${because}.`, then.length && `Then probably: ${then.join(" ")}`].filter(Boolean).join(" ");
    const whom = document.createElement("p");
    whom.textContent = holds;
    list.replaceChildren(best, ...(why.textContent ? [why] : []), whom);
    if (list.scrollHeight > list.clientHeight) list.tabIndex = 0; // what can be scrolled can be scrolled by keys
    tell(`Hint: ${[...best.children].map((row) => row.textContent).join(", ")}. ${why.textContent} ${holds}`);
    const { move, parts } = choices[0], left = [...parts];
    for (const one of document.querySelectorAll(".scene :is([data-action], [data-part])")) {
      const at = left.indexOf(one.dataset.part ?? "");
      if (at >= 0) left.splice(at, 1);
      one.classList.toggle("hinted", at >= 0 || one.dataset.action === move);
    }
    $(".board .hinted")?.scrollIntoView({ block: "nearest" });
  } catch (problem) {
    list.textContent = "";
    if (version === now()) complain(node, problem);
  }
  node.classList.remove("sent");
}
