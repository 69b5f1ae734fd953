// What a press at a table does. A move is sent until it is known to have arrived. What else is sent is in room.js.
import { take } from "./aim.js";
import * as clock from "./clock.js";
import { decided } from "./forced.js";
import { release } from "./guide.js";
import { BUTTON } from "./pieces.js";
import { choose, chooseAll, forget, pick } from "./picking.js";
import { busy, hurry, shown, skip } from "./queue.js";
import { api, find, main } from "./received.js";
import { calm, unsure } from "./sure.js";
import { inWords } from "./tabs.js";
import { $, Refusal, complain, explain, post, say, unique, use, wait } from "./ui.js";
import { broken, known, offline, resync, stream } from "./updates.js";

const KEPT = "Connection lost. Your move is saved here; we send it once you’re reconnected.";
/** @type {number | null} */
let sent = null; // the version at which the move that is on its way was made

// A button that was pressed, or what has its place now; else the first thing that can be pressed.
/** @type {(node: HTMLElement) => Element} */
const here = (node) => (node.isConnected ? node : find(node.dataset.key ?? "") ?? $(".scene .acts") ?? main);

/** @type {(move: string | undefined, button: HTMLElement) => Promise<void>} */
async function send(move, button) {
  if (sent === shown) return; // the stream may be faster than the answer, and the player faster than both
  const at = (sent = shown);
  release();
  button.classList.add("sent");
  pick();
  const undo = "undo" in button.dataset, body = undo ? { version: at } : { move, version: at, id: unique(), ...clock.thought() };
  decided(undo);
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        const { version } = await post(`${api}/${undo ? "undo" : "moves"}`, body);
        if (attempt) stream.connect();
        wait(2500).then(() => void (known < version && resync()));
        break;
      } catch (problem) {
        const refused = problem instanceof Refusal, after = refused ? problem.after : 0;
        if (refused && (attempt >= 7 || (problem.status < 500 && !after))) throw problem;
        if (after) say(here(button), explain(problem));
        else offline(refused ? broken : KEPT);
        const back = new Promise((resolve) => addEventListener("online", resolve, { once: true }));
        await Promise.race([back, wait(after ? 1000 * after : Math.min(4000, 300 * 2 ** attempt))]); // the same id: it cannot be made twice
      }
    }
  } catch (problem) {
    forget();
    button.classList.remove("sent");
    if (problem instanceof Refusal) await resync();
    complain(here(button), problem);
  }
  if (sent === at) sent = null;
}

/** @type {(node: HTMLElement) => unknown} */
function press(node) {
  const { action, part: token, why, clause } = node.dataset;
  if ("hint" in node.dataset) return use(import("./hint.js"), ({ hint }) => hint(node), node);
  if (action || "undo" in node.dataset) return unsure(node) || send(action, node);
  calm();
  if (token) return choose(node);
  if ("all" in node.dataset) return chooseAll();
  if (why) say(node, why, clause);
}

export const pressKey = take({ busy: () => busy, skip, press });
document.addEventListener("click", (event) => {
  /** @type {At} */
  const at = (selector) => event.target.closest?.(selector);
  const piece = at(`.scene ${BUTTON}`), posts = at("[data-post]"), board = at("button[data-board]");
  const minds = at("[data-phrase], [data-whom], [data-again]"), shares = at("[data-share], [data-qr]"), lesson = at("[data-lesson]");
  const faster = /** @type {HTMLElement | null | undefined} */ (at("[data-faster]"));
  if (piece) press(piece);
  else if (faster) {
    hurry();
    post(`${api}/pace`, { once: true }).catch((problem) => complain(faster, problem));
  }
  else if (posts) use(import("./room.js"), ({ act }) => act(posts), posts);
  else if (board) main.toggleAttribute("data-board", board.dataset.board === "open");
  else if (minds) use(import("./manners.js"), ({ mind }) => mind(minds), minds);
  else if (shares) use(import("./share.js"), ({ share }) => share(shares), shares);
  else if (lesson) use(import("./sit.js"), ({ learn }) => learn(lesson), lesson);
});

document.addEventListener("change", (event) => {
  const choice = event.target.closest("select[data-post]");
  if (choice) use(import("./room.js"), ({ chosen }) => chosen(choice), choice);
});

document.addEventListener("submit", (event) => {
  const form = event.target, { move } = /** @type {Partial<Fields<"move">>} */ (form.elements);
  if (!form.matches("[data-chat], [data-typed], [data-words], [data-time], [data-sit]")) return;
  event.preventDefault();
  if ("sit" in form.dataset) return use(import("./sit.js"), ({ sit }) => sit(form, event.submitter), form);
  if (move) return inWords(({ type }) => type(move));
  use(import("./room.js"), ({ submit }) => submit(form), form.elements[0]);
});
