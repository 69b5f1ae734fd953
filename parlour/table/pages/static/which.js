// Which of several small pieces a finger meant: their words in the order in which they lie, the nearest under the finger.
import { named } from "./told.js";

const dialog = document.createElement("dialog");
dialog.className = "which";
dialog.setAttribute("aria-label", "Which one?");
document.body.append(dialog);
dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
dialog.addEventListener("close", () => {
  for (const one of document.querySelectorAll(".meant")) one.classList.remove("meant");
});

function row(node) {
  const made = document.createElement("button"), { action, part } = node.dataset;
  made.className = "act";
  made.append(named(node));
  made.dataset.of = node.dataset.key;
  made.addEventListener("click", () => {
    dialog.close();
    if (node.isConnected && node.dataset.action === action && node.dataset.part === part) node.click(); // not what came since
  });
  return made;
}

// Ask; the first of these pieces is the nearest to the tap.
export function ask(nodes, x, y) {
  const place = (node) => node.getBoundingClientRect();
  const sorted = nodes.toSorted((a, b) => place(a).top - place(b).top || place(a).left - place(b).left), rows = sorted.map(row);
  dialog.replaceChildren(...rows);
  for (const node of nodes) node.classList.add("meant");
  dialog.showModal();
  const likely = rows[sorted.indexOf(nodes[0])];
  likely.focus();
  const keep = (value, most) => `${Math.max(8, Math.min(value, most - 8))}px`;
  dialog.style.left = keep(x - dialog.offsetWidth / 2, innerWidth - dialog.offsetWidth);
  dialog.style.top = keep(y - likely.offsetTop - likely.offsetHeight / 2, innerHeight - dialog.offsetHeight);
}
