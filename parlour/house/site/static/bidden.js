// Bars on pages other than the lobby: an invitation, and a turn at another table that began since the page was opened.
// Loaded when there is one.
import { $, explain, post } from "./ui.js";

const place = $(".invited"), [accept, decline] = place.querySelectorAll(".act");
const bar = $(".invited.turned"), [, later] = bar.querySelectorAll(".act");
let shown, again, news = [];

export function show(invited, turns, fresh, look) {
  again = look;
  news = [...news, ...fresh].filter((one) => turns.some(({ id }) => one === `turns ${id}`));
  turn(turns.find(({ id }) => news.includes(`turns ${id}`)));
  shown = invited;
  place.hidden = !invited;
  if (invited) say($("bdi", place), invited.host), say($("p span", place), invited.title);
}
function turn(one) {
  bar.hidden = !one;
  if (!one) return;
  $("a", bar).href = `/t/${one.id}`;
  say($("p span", bar), one.names.length ? `${one.title}, with ${one.names.join(", ")}` : one.title);
}
function say(node, words) {
  if (node.textContent !== words) node.textContent = words; // else a screen reader would repeat it
}
async function answer(path, body, to) {
  try {
    await post(`/api/tables/${shown.id}/${path}`, body);
    if (to) location.href = to;
    again();
  } catch (problem) {
    $(".reason", place).textContent = explain(problem);
  }
}
accept.addEventListener("click", () => answer("sit", { token: shown.token }, `/t/${shown.id}`));
decline.addEventListener("click", () => answer("decline", {}));
later.addEventListener("click", () => turn((news = [])[0]));
