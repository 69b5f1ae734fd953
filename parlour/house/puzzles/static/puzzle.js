// A puzzle: the same board as at a table. A press is an answer, and then the page says what it was worth.
import "./reach.js";
import { fit } from "./fit.js";
import { focused, mark } from "./keys.js";
import { parse, patch } from "./patch.js";
import { choose, chooseAll, updatePick } from "./picking.js";
import { find, main, part } from "./received.js";
import { calm, unsure } from "./sure.js";
import { $, complain, post, say, the } from "./ui.js";

const puzzle = JSON.parse(main.dataset.puzzle ?? "{}"), verdict = the(".verdict"), up = the("[data-give-up]");
let answered = false, asking = false;

// A reload shows the same puzzle again.
history.replaceState(null, "", main.dataset.address);

// Rings pieces on the board, as a replay does.
/** @type {(kind: string, keys: readonly string[]) => void} */
function ring(kind, keys) {
  for (const key of keys) find(key, part("scene"))?.classList.add(kind);
}

/** @type {(button: HTMLElement, move?: string) => Promise<void>} */
async function answer(button, move = "") {
  if (answered || asking) return;
  asking = true;
  button.classList.add("sent");
  try {
    const found = await post(/** @type {"/api/puzzles"} */ (main.dataset.path), { ...puzzle, move });
    answered = true;
    show(found);
  } catch (problem) {
    complain(button, problem);
  }
  asking = false;
  button.classList.remove("sent");
}

/** @type {(found: Solved) => void} */
function show(found) {
  calm();
  const scene = part("scene");
  patch(scene, /** @type {Element} */ (parse(found.html).firstElementChild));
  fit(scene);
  ring("played", found.made);
  ring("better", found.instead);
  mark();
  verdict.innerHTML = found.verdict;
  verdict.hidden = false;
  the(".task").hidden = up.hidden = true;
  main.dataset.answered = "";
  the("h2", verdict).focus({ preventScroll: true });
  the(".answer-head", verdict).scrollIntoView({ block: "nearest" });
}

/** @type {(node: HTMLElement) => unknown} */
function press(node) {
  const { action, part: token, why, clause } = node.dataset;
  if (action) return unsure(node) || answer(node, action);
  calm();
  if (token) return choose(node);
  if ("all" in node.dataset) return chooseAll();
  if (why) say(node, why, clause);
}

document.addEventListener("click", (event) => {
  /** @type {At} */
  const at = (selector) => event.target.closest?.(selector);
  const piece = at(".scene button"), gives = at("[data-give-up]");
  if (piece) press(piece);
  else if (gives) answer(gives);
});

/** @type {typeof import("./arrows.js") | null} */
let arrows = null;
const load = async () => (arrows ??= await import("./arrows.js"));
addEventListener("keydown", () => void load().catch(() => {}), { capture: true, once: true });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]") || focused().matches("input, textarea, select")) return;
  if (event.key === "Escape") return calm();
  if (event.key === "?") return the("#keys").showModal();
  if (event.key === "n" && answered) return the("[data-next]").click();
  if (arrows?.walk(event)) return;
  const key = event.key === " " ? "Enter" : event.key;
  if (key === "Enter" && focused().matches("button, a, summary")) return;
  const node = $(`.scene [data-shortcut="${CSS.escape(key)}"]`);
  if (!node || event.repeat) return;
  event.preventDefault();
  node.click();
});

fit(part("scene"));
updatePick();
mark();
the(".log").scrollTop = the(".log").scrollHeight;
