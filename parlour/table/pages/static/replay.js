// A finished game, step by step.
import * as motion from "./motion.js";
import { parse, patch } from "./patch.js";
import { $, Refusal, explain, post, say, wait } from "./ui.js";

const main = $("main"), slider = $("#step"), play = $("[data-play]");
const last = Number(main.dataset.last);
const find = (key) => document.querySelector(`[data-key="${key}"]`);
const cache = new Map();
let at = Number(main.dataset.version), asked = at, playing = false;

function load(step) {
  if (!cache.has(step)) {
    const answer = fetch(`/api/tables/${main.dataset.table}/replay?step=${step}`).then((got) => (got.ok ? got.json() : Promise.reject(got)));
    answer.catch(() => cache.delete(step));
    cache.set(step, answer);
  }
  return cache.get(step);
}

async function go(step) {
  asked = step = Math.max(0, Math.min(last, step));
  try {
    const { frame } = await load(step);
    if (asked !== step) return;
    const scene = find("scene"), seen = motion.look(scene), forward = step === at + 1;
    motion.finish();
    patch(scene, parse(frame.html).firstElementChild);
    find("log").innerHTML = frame.log;
    find("log").scrollTop = find("log").scrollHeight;
    at = step;
    slider.value = step;
    slider.setAttribute("aria-valuetext", `Step ${step} of ${last}`);
    $("#at").textContent = `${step} of ${last}`;
    const share = $("[data-copy]");
    share.dataset.copy = Object.assign(new URL(location.href), { search: `?step=${step}` }).href;
    history.replaceState(null, "", share.dataset.copy);
    mark();
    if (step < last) load(step + 1);
    if (forward) await motion.show(scene, seen, frame.moment);
  } catch {
    stop();
    say(main, explain(null));
  }
}

function stop() {
  playing = false;
  play.setAttribute("aria-pressed", "false");
  play.textContent = "▶ Play";
}
async function start() {
  playing = true;
  play.setAttribute("aria-pressed", "true");
  play.textContent = "❚❚ Pause";
  if (at === last) await go(0);
  while (playing && at < last) {
    await go(at + 1);
    await wait(Math.max(450, Number(find("scene").dataset.hold)));
  }
  stop();
}

// The analysis: begun, and asked for until it is there. One that nobody asked about for a while was dropped.
let told = null; // [version, chances by seat], ascending
const box = find("analysis");
const pause = (answer) => wait(answer.ahead ? 2000 : 500);
async function analyse() {
  const state = $(".state", box);
  const address = `/api/tables/${main.dataset.table}/analysis`;
  const look = async () => {
    const got = await fetch(address), answer = await got.json();
    if (!got.ok) throw new Refusal(got, answer.error);
    return answer.status === "none" ? post(address) : answer;
  };
  try {
    for (let answer = await post(address); ; answer = await look()) {
      if (answer.status === "done") {
        box.innerHTML = answer.html;
        told = JSON.parse($(".graph", box).dataset.points);
        return mark();
      }
      state.textContent = answer.total ? `Judging each decision: ${answer.done} of ${answer.total}.`
        : answer.ahead ? `The analysis waits for ${answer.ahead} other ${answer.ahead > 1 ? "games" : "game"}.` : "Preparing the analysis. The first of a game takes longer.";
      box.style.setProperty("--done", answer.total ? answer.done / answer.total : 0);
      await pause(answer);
    }
  } catch (problem) {
    state.textContent = `${explain(problem)} `;
    const again = document.createElement("button");
    again.className = "act";
    again.textContent = "Try again";
    again.addEventListener("click", () => {
      state.textContent = "The analysis is on its way.";
      analyse();
    });
    state.append(again);
  }
}

// Show in the analysis where the replay is.
function mark() {
  if (!told) return;
  const x = `${(100 * at) / Math.max(last, 1)}%`, line = $(".now", box);
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
  const now = told.findLast(([version]) => version <= at) ?? told[0];
  for (const node of box.querySelectorAll("[data-chance]")) node.textContent = `${Math.round(100 * now[1][node.dataset.chance])} %`;
  let any = false;
  for (const note of box.querySelectorAll("[data-at]")) any = !(note.hidden = Number(note.dataset.at) !== at) || any;
  $(".none", box).hidden = any;
  for (const dot of box.querySelectorAll("[data-go]")) dot.toggleAttribute("aria-current", Number(dot.dataset.go) === at);
}
box.addEventListener("click", (event) => {
  const graph = event.target.closest(".graph"), dot = event.target.closest("[data-go]");
  if (!graph || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const frame = graph.getBoundingClientRect();
  step(dot ? Number(dot.dataset.go) : Math.round(((event.clientX - frame.left) / frame.width) * last));
});

const step = (to) => { stop(); go(to); };
slider.addEventListener("input", () => step(Number(slider.value)));
play.addEventListener("click", () => (playing ? stop() : start()));
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-step]");
  if (button) step({ first: 0, back: asked - 1, next: asked + 1, last }[button.dataset.step]);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.activeElement.matches("input[type=text], [role=tab]")) return;
  const to = { ArrowLeft: asked - 1, ArrowRight: asked + 1, Home: 0, End: last }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    step(to);
  } else if (event.key === " " && !document.activeElement.matches("button, a, summary")) {
    event.preventDefault();
    play.click();
  }
});
find("log").scrollTop = find("log").scrollHeight;
analyse();
