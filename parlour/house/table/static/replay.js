// A finished game, step by step.
import { fit } from "./fit.js";
import { sounds } from "./hear.js";
import * as motion from "./motion.js";
import { parse, patch } from "./patch.js";
import { $, Refusal, explain, post, remember, say, the, wait } from "./ui.js";
import { when } from "./when.js";

const main = the("main"), slider = the("#step"), play = the("[data-play]"), speed = the("#speed"), onward = the("[data-play-on]");
const last = Number(main.dataset.last);
/** @type {(key: string) => HTMLElement} */
const find = (key) => the(`[data-key="${key}"]`);
let at = Number(main.dataset.version), asked = at, playing = false;

// Positions are loaded in batches, those on both sides of the current one in advance.
const BATCH = 12, MOST = 40; // positions in a batch; batches that are kept
/** @type {Map<number, Shown[] | Promise<Shown[]>>} */
const batches = new Map(); // the first step of each -> its frames, or a promise of them
/** @type {(step: number) => number} */
const first = (step) => step - (step % BATCH);

/** @type {(from: number) => Promise<Shown[]>} */
async function fetched(from) {
  const until = Math.min(from + BATCH - 1, last);
  const got = await fetch(`/api/tables/${main.dataset.table}/replay?step=${from}&until=${until}`), answer = await got.json();
  if (!got.ok) throw new Refusal(got, answer.error);
  /** @type {{ frame: Frame, ahead: Frame[] }} */
  const { frame: now, ahead } = answer;
  let { log } = now; // whole up to there; of the others their own lines
  /** @type {Shown[]} */
  const frames = [{ ...now, own: null }];
  for (const frame of ahead) frames.push({ ...frame, log: (log += frame.log), own: frame.log });
  batches.set(from, frames);
  return frames;
}
/** @type {(from: number) => Shown[] | Promise<Shown[]>} */
function load(from) {
  const known = batches.get(from);
  if (known) return known;
  const answer = fetched(from);
  answer.catch(() => batches.delete(from));
  batches.set(from, answer);
  if (batches.size > MOST) for (const [oldest] of batches) {
    batches.delete(oldest);
    break;
  }
  return answer;
}
/** @type {(step: number) => Shown[] | null} */
const ready = (step) => {
  const batch = batches.get(first(step));
  return Array.isArray(batch) ? batch : null;
};

/** @type {(step: number) => Promise<void>} */
async function go(step) {
  asked = step = Math.max(0, Math.min(last, step));
  try {
    if (!ready(step)) await wait(60); // dragging the slider skips most steps
    if (asked !== step) return;
    const loaded = load(first(step)), frames = Array.isArray(loaded) ? loaded : await loaded;
    if (asked !== step) return;
    const scene = find("scene"), forward = step === at + 1, frame = frames[step % BATCH];
    motion.finish();
    const seen = forward && !motion.quiet() ? motion.look(scene) : null;
    patch(scene, /** @type {Element} */ (parse(frame.html).firstElementChild));
    fit(scene);
    tell(step, frame);
    if (forward) sounds(frame.sounds);
    at = step;
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", `Step ${step} of ${last}`);
    the("#at").textContent = `${step} of ${last}`;
    the("[data-copy]").dataset.copy = Object.assign(new URL(location.href), { search: `?step=${step}` }).href;
    offer();
    mark();
    settle();
    if (seen) await Promise.race([motion.show(scene, seen, frame.moment), ...(rate() > 1 ? [wait(400 / rate())] : [])]);
  } catch (problem) {
    stop();
    say(play, explain(problem));
  }
}

// Shows the log up to a step: adds or removes lines for a single step, else replaces all.
/** @type {(step: number, frame: Shown) => void} */
function tell(step, frame) {
  const log = find("log"), now = ready(at)?.[at % BATCH];
  if (step === at + 1 && frame.own !== null) log.insertAdjacentHTML("beforeend", frame.own);
  else if (step === at - 1 && now?.own != null) for (const _ of parse(now.own).children) log.lastElementChild?.remove();
  else if (step !== at) log.innerHTML = frame.log;
  when();
  log.scrollTop = log.scrollHeight;
}

// Puts the step into the address, and loads both neighbours. Browsers limit how often the address may change, so while
// playing it follows only when the replay rests.
/** @type {Timer} */
let later;
function here() {
  try {
    history.replaceState(null, "", the("[data-copy]").dataset.copy);
  } catch {}
}
function settle() {
  clearTimeout(later);
  later = setTimeout(here, 250);
  if (!playing) here();
  for (const from of [first(at) + BATCH, first(at) - BATCH]) if (from >= 0 && from <= last) Promise.resolve(load(from)).catch(() => {});
}

// Offers a new table that continues from here, unless the game ends here.
const over = () => at === last;
function offer() {
  over() ? onward.setAttribute("aria-disabled", "true") : onward.removeAttribute("aria-disabled");
}
function ask() {
  if (over()) return say(onward, "The game ends here.");
  stop();
  the("#play-on-title output").textContent = String(at);
  the("#play-on").showModal();
}
onward.addEventListener("click", ask);
const onwards = the("#play-on form");
onwards.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { seat, bot } = /** @type {Fields<"seat" | "bot">} */ (onwards.elements);
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  button.disabled = true;
  try {
    const body = { step: at, bot: bot.value, ...(seat.value && { seat: Number(seat.value) }) };
    const { url } = await post(`/api/tables/${main.dataset.table}/play-on`, body);
    the("#play-on").close();
    location.href = url;
  } catch (problem) {
    say(button, explain(problem));
  }
  button.disabled = false;
});

const rate = () => Number(speed.value);
/** @type {(by: number) => void} */
function faster(by) {
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
  remember("parlour-speed", speed.value);
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
    const before = at;
    await go(at + 1);
    if (at === before) break;
    await wait(Math.max(450, Number(find("scene").dataset.hold)) / rate());
  }
  stop();
}

// Starts the analysis and asks until it is done. The server drops one that no page asks about.
/** @type {[version: number, chances: number[]][]} */
let chances = []; // [version, chances by seat], ascending
const box = find("analysis");
/** @type {(answer: Report) => Promise<void>} */
const pause = (answer) => wait(answer.ahead ? 2000 : 500);
/** @type {(seconds: number) => string} */
const remains = (seconds) => (!seconds ? "" : seconds < 10 ? " A few seconds left."
  : seconds < 100 ? ` About ${10 * Math.ceil(seconds / 10)} s left.` : ` About ${Math.ceil(seconds / 60)} min left.`);
const points = () => JSON.parse(the(".graph", box).dataset.points ?? "");
async function analyse() {
  let state = the(".state", box), seen = 0;
  /** @type {`${string}/analysis`} */
  const address = `/api/tables/${main.dataset.table}/analysis`;
  /** @type {() => Promise<Report>} */
  const look = async () => {
    const got = await fetch(`${address}?since=${seen}`), answer = await got.json();
    if (!got.ok) throw new Refusal(got, answer.error);
    return answer.status === "none" ? post(address) : answer;
  };
  try {
    for (let answer = await post(address); ; answer = await look()) {
      if (answer.status === "done") {
        box.innerHTML = answer.html;
        chances = points();
        return mark();
      }
      if (answer.html) { // the part that is done
        box.innerHTML = answer.html;
        state = the(".state", box);
        chances = points();
        seen = answer.done;
        mark();
      }
      state.textContent = answer.total ? `Decisions analysed: ${answer.done} of ${answer.total}.${remains(answer.left)}`
        : answer.ahead ? `Waiting for ${answer.ahead} other ${answer.ahead > 1 ? "analyses" : "analysis"}.` : "Preparing the analysis. The first one for a game takes longer.";
      state.style.setProperty("--done", String(answer.total ? answer.done / answer.total : 0));
      await pause(answer);
    }
  } catch (problem) {
    state.textContent = `${explain(problem)} `;
    const again = document.createElement("button");
    again.className = "act";
    again.textContent = "Try again";
    again.addEventListener("click", () => {
      state.textContent = "The analysis is starting.";
      analyse();
    });
    state.append(again);
  }
}

// Rings the pieces of a decision on the board; the next position has none.
/** @type {(kind: string, keys?: string) => void} */
function draw(kind, keys = "[]") {
  for (const key of JSON.parse(keys)) $(`.scene .board [data-key="${CSS.escape(key)}"]`)?.classList.add(kind);
}

// Says what happened last, where the log is below the window; and before that, where no verdict needs the room yet.
const BEFORE = 9; // lines: more than there is room for
function happened() {
  const lines = [...find("log").children].toReversed();
  for (const node of box.querySelectorAll(".happened")) {
    const shown = lines.slice(0, node.matches(".doing > *") ? BEFORE : 1);
    node.replaceChildren(...shown.map((line) => {
      const copy = document.createElement("span");
      copy.append(...[...line.querySelectorAll(":scope > svg, :scope > span")].map((one) => one.cloneNode(true)));
      return copy;
    }));
  }
}

// Marks the replay's step in the analysis.
function mark() {
  happened();
  for (const button of document.querySelectorAll("[data-step=before], [data-step=after]")) {
    marked(button.dataset.step === "after" ? 1 : -1) === undefined ? button.setAttribute("aria-disabled", "true") : button.removeAttribute("aria-disabled");
  }
  const x = `${(100 * at) / Math.max(last, 1)}%`, line = the(".now", box);
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
  if (!chances.length) return; // nothing is known yet
  const now = chances.findLast(([version]) => version <= at) ?? chances[0]; // until it is done, the last known
  for (const node of box.querySelectorAll("[data-chance]")) node.textContent = `${Math.round(100 * now[1][Number(node.dataset.chance)])} %`;
  let any = false;
  for (const note of box.querySelectorAll("[data-at]")) {
    note.hidden = Number(note.dataset.at) !== at;
    if (note.hidden) continue;
    any = true;
    draw("played", note.dataset.played);
    draw("better", note.dataset.better);
  }
  $(".none", box)?.toggleAttribute("hidden", any);
  requestAnimationFrame(measure); // when the page is laid out anyway
  for (const dot of box.querySelectorAll("[data-go]")) dot.toggleAttribute("aria-current", Number(dot.dataset.go) === at);
}

// A verdict that has not room enough on a phone shows that a press shows all of it.
function measure() {
  const said = $(".judgements", box);
  said?.removeAttribute("data-long");
  if (said && said.scrollHeight > said.clientHeight + 1) said.setAttribute("data-long", "");
}
box.addEventListener("click", (event) => {
  if (event.target.closest("[data-take-back]")) return ask(); // the note is shown at the step before the decision
  const graph = event.target.closest(".graph"), dot = event.target.closest("[data-go]"), link = event.target.closest("[data-to]");
  if (!(graph || link) || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (!graph) return step(Number(link?.dataset.to));
  const frame = graph.getBoundingClientRect();
  step(dot ? Number(dot.dataset.go) : Math.round(((event.clientX - frame.left) / frame.width) * last));
});

// The marked decision before or after this step, where it is known and there is one.
/** @type {(by: number) => number | undefined} */
function marked(by) {
  const all = [...box.querySelectorAll("[data-go]")].map((dot) => Number(dot.dataset.go)).sort((a, b) => a - b);
  return by > 0 ? all.find((one) => one > asked) : all.findLast((one) => one < asked);
}

// On a phone the log is below the window: a press lays it over the analysis, another puts it back.
const logs = the("[data-log]");
/** @param {boolean} shown */
function uncover(shown) {
  main.toggleAttribute("data-logged", shown);
  logs.setAttribute("aria-expanded", String(shown));
  find("log").scrollTop = find("log").scrollHeight;
}
logs.addEventListener("click", () => uncover(!main.hasAttribute("data-logged")));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") uncover(false);
});

/** @type {(to: number) => void} */
const step = (to) => { stop(); go(to); };
slider.addEventListener("input", () => step(Number(slider.value)));
play.addEventListener("click", () => (playing ? stop() : start()));
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-step]");
  /** @type {Record<string, number>} */
  const places = { first: 0, back: asked - 1, next: asked + 1, last, before: marked(-1) ?? asked, after: marked(1) ?? asked };
  if (!button) return;
  if (!button.ariaDisabled) return step(places[button.dataset.step ?? ""]);
  const side = button.dataset.step === "after" ? "after" : "before";
  say(button, $(".judgements", box) ? `No error is marked ${side} this step.` : "Errors are marked when the analysis is done.");
});
/** @type {Record<string, number>} */
const PACES = { "+": 1, "=": 1, "-": -1 };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]") || document.activeElement?.matches("input:not(#step), select")) return;
  /** @type {Record<string, number | undefined>} */
  const places = { ArrowLeft: asked - 1, ArrowRight: asked + 1, Home: 0, End: last, n: marked(1), p: marked(-1) };
  const to = places[event.key], pace = PACES[event.key];
  if (to !== undefined) step(to);
  else if (pace) faster(pace);
  else if (event.key === "o") ask();
  else if (event.key === "?") the("#keys").showModal();
  else if (event.key === " " && !document.activeElement?.matches("button, a, summary")) play.click();
  else return;
  event.preventDefault();
});
speed.value = remember("parlour-speed") ?? "1";
if (speed.selectedIndex < 0) speed.value = "1";
speed.addEventListener("change", () => faster(0));
find("log").scrollTop = find("log").scrollHeight;
Promise.resolve(load(first(at))).then(settle, () => {});
mark();
analyse();
