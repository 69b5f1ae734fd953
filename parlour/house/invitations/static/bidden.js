// Bars on pages other than the lobby: an invitation, and a turn at another table that began since the page was opened.
// Loaded when there is one.
import { explain, post, the } from "./ui.js";

const place = the(".invited"), [accept, decline] = place.querySelectorAll(".act");
const bar = the(".invited.turned"), [, later] = bar.querySelectorAll(".act");
/** @type {Invitation} */
let shown;
/** @type {() => unknown} */
let again;
/** @type {string[]} */
let news = [];

/** @type {(invited: Invitation | undefined, turns: Turn[], fresh: string[], look: () => unknown) => void} */
export function show(invited, turns, fresh, look) {
  again = look;
  news = [...news, ...fresh].filter((one) => turns.some(({ id }) => one === `turns ${id}`));
  turn(turns.find(({ id }) => news.includes(`turns ${id}`)));
  shown = /** @type {Invitation} */ (invited); // pressed only while there is one
  place.hidden = !invited;
  if (!invited) return;
  say(the("bdi", place), invited.host);
  say(the("p span", place), invited.title);
}
/** @type {(one: Turn | undefined) => void} */
function turn(one) {
  bar.hidden = !one;
  if (!one) return;
  the("a", bar).href = `/t/${one.id}`;
  say(the("p span", bar), one.names.length ? `${one.title}, with ${one.names.join(", ")}` : one.title);
}
/** @type {(node: Element, words: string) => void} */
function say(node, words) {
  if (node.textContent !== words) node.textContent = words; // else a screen reader would repeat it
}
/** @type {(path: string, body: object, to?: string) => Promise<void>} */
async function answer(path, body, to) {
  try {
    await post(`/api/tables/${shown.id}/${path}`, body);
    if (to) location.href = to;
    again();
  } catch (problem) {
    the(".reason", place).textContent = explain(problem);
  }
}
accept.addEventListener("click", () => answer("sit", { token: shown.token }, `/t/${shown.id}`));
decline.addEventListener("click", () => answer("decline", {}));
later.addEventListener("click", () => turn((news = [])[0]));
