// An invitation, told on a page that is not the lobby: asked for now and then, while the page is seen.
import { $, explain, post } from "./ui.js";

const EVERY = 15000; // ms
const place = $(".invited"), [accept, decline] = place.querySelectorAll(".act"), here = $("main")?.dataset.table;
let asked = 0, shown;

async function look() {
  if (document.hidden || Date.now() - asked < EVERY) return;
  asked = Date.now();
  try {
    const answer = await fetch("/api/invitations");
    if (!answer.ok) return;
    const { invitations, go } = await answer.json();
    if (go && go !== location.pathname) location.href = go; // whom one asked to play with is found
    show(invitations.find(({ id }) => id !== here));
  } catch {} // the next look tells
}
function show(one) {
  shown = one;
  place.hidden = !one;
  if (!one) return;
  if ($("bdi", place).textContent === one.host && $("p span", place).textContent === one.title) return; // it was said
  $("bdi", place).textContent = one.host;
  $("p span", place).textContent = one.title;
}
async function answer(path, body, to) {
  try {
    await post(`/api/tables/${shown.id}/${path}`, body);
    if (to) location.href = to;
    asked = 0;
    look();
  } catch (problem) {
    $(".reason", place).textContent = explain(problem);
  }
}
accept.addEventListener("click", () => answer("sit", { token: shown.token }, `/t/${shown.id}`));
decline.addEventListener("click", () => answer("decline", {}));
setInterval(look, 1000);
document.addEventListener("visibilitychange", look);
look();
