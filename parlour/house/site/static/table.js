// A table: follows its stream, shows each position in order, sends the player's moves.
import { take } from "./aim.js";
import { call } from "./call.js";
import * as clock from "./clock.js";
import { decided, force } from "./forced.js";
import { offer, read, release } from "./guide.js";
import { lead } from "./lead.js";
import { mark, walk } from "./keys.js";
import { fit } from "./fit.js";
import * as motion from "./motion.js";
import { expand, parse, patch } from "./patch.js";
import { slowness } from "./preferences.js";
import { follow } from "./stream.js";
import { calm, unsure } from "./sure.js";
import { drawer, inWords, tab, turn, write } from "./tabs.js";
import { hear, hush, tell } from "./told.js";
import { $, Refusal, complain, explain, focused, picking, post, say, the, unique, use, visible, wait } from "./ui.js";

const main = the("main");
/** @type {`/api/tables/${string}`} */
const api = `/api/tables/${main.dataset.table}`;
/** @type {(key: string, root?: ParentNode) => HTMLElement | null} */
const find = (key, root) => $(`[data-key="${CSS.escape(key)}"]`, root);
const part = /** @type {(key: string, root?: ParentNode) => HTMLElement} */ (find); // what is surely there
let shown = Number(main.dataset.version); // the version on the screen
let known = shown; // the newest received
let base = received(document); // what was received last of the scene and the rest, untouched, and their marks
const MOST_BEHIND = 12; // positions shown with their motion; earlier ones pass at once
/** @type {Position[]} */
let queue = [];
let busy = false;
/** @type {(seen?: unknown) => void} */
let wake = () => {};
/** @type {Update | null} */
let rest = null; // what else changes on the page once the last position is shown
/** @type {[key: string, part: string | undefined][] | null} */
let picked = null; // keys and parts of what was sent to be rolled
const KEPT = "Connection lost. Your move is saved here; we send it once you’re reconnected.";
/** @type {number | null} */
let sent = null; // the version at which the move that is on its way was made

// Showing positions -----------------------------------------------------------------------------
/** @type {(frame: Position, moving: boolean) => Promise<unknown>} */
function show(frame, moving) {
  motion.finish();
  calm();
  const scene = part("scene");
  const fresh = frame.tree;
  if (picked) swap(scene, fresh);
  const seen = motion.look(scene);
  patch(scene, fresh);
  fit(scene);
  log(frame.log);
  moved(frame.version);
  updatePick();
  mark();
  listen();
  clock.begin();
  clock.tick();
  return moving ? motion.show(scene, seen, frame.moment) : Promise.resolve();
}

/** @param {number} version */
function moved(version) {
  shown = version;
  main.dataset.version = String(version);
}

// The rules take the first of several equal pieces; shows those that the player chose instead.
/** @type {(scene: Element, fresh: Element) => void} */
function swap(scene, fresh) {
  const rolled = [...fresh.querySelectorAll(".air, .rolled")].map((node) => node.dataset.key ?? "");
  if (!picked || !rolled.length) return;
  const mine = new Set(picked.map(([key]) => key));
  for (const [key, kind] of picked) {
    if (rolled.includes(key)) continue;
    const other = rolled.find((one) => !mine.has(one) && find(one, scene)?.dataset.part === kind);
    const a = find(key, scene), b = other && find(other, scene);
    if (!a || !b) continue;
    mine.add(other);
    a.dataset.key = other;
    b.dataset.key = key;
  }
  picked = null;
}

/** @type {(html: string) => void} */
function log(html) {
  const list = part("log");
  const end = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  for (const line of [...parse(html).children]) if (!find(line.dataset.key ?? "", list)) list.append(line);
  if (end) list.scrollTop = list.scrollHeight;
}

function finishRest() {
  if (!rest) return;
  const chat = $("#panel-chat ol");
  const lines = chat?.querySelectorAll("[data-key]").length ?? 0, names = part("table").dataset.names;
  patch(part("table"), base.table);
  clock.tick();
  if (names !== undefined && names !== part("table").dataset.names) anew(); // a player has a new name, which the log shows too
  for (const name of ["status", "pace"]) main.dataset[name] = part("table").dataset[name];
  const now = $("#panel-chat ol");
  if (call(rest.title, (now?.querySelectorAll("[data-key]").length ?? lines) - lines) && now) {
    now.scrollTop = now.scrollHeight;
    if (main.dataset.tab !== "chat") the("#tab-chat").classList.add("news");
    if (!visible(the("#panel-chat"))) the("[data-drawer]").classList.add("news"); // a phone shows no tab
  }
  rest = null;
  const curtain = find("curtain");
  if (curtain && !curtained) the("h1", curtain).focus(); // not its button: a key meant for the move before must not lift it
  curtained = !!curtain;
  const result = $(".result h1");
  const idle = [document.body, $(".acts"), $(".board")].includes(focused());
  if (result && !ended && idle) result.focus(); // the next Tab is for what can be done now
  ended = !!result;
  mark();
  keepFocus();
  offer();
  listen();
  force();
  lead();
}

function listen() {
  if (find("curtain", base.table)) hush();
  else hear(main.dataset.eyes ?? "", queue.length > 0);
  write();
}

// If the focused element is gone, as buttons are at the end, focus moves to where the next decision is made.
/** @type {HTMLElement | null} */
let held = null;
let curtained = !!find("curtain");
let ended = !!$(".result");
addEventListener("focusin", (event) => (held = event.target));
function keepFocus() {
  const seen = held?.isConnected && visible(held);
  if (!held || seen || ![document.body, held].includes(focused())) return;
  held = null;
  [".curtain h1", ".result h1", ".acts", ".board"].map((one) => $(one)).find((one) => one && visible(one))?.focus();
}

// The first of these, unless the player skips.
/** @type {(...ends: (Promise<unknown> | null)[]) => Promise<unknown>} */
const soonest = (...ends) => Promise.race([...ends, new Promise((resolve) => (wake = resolve))]);

async function run() {
  if (busy) return;
  busy = true;
  while (queue.length) {
    if (read()) {
      await soonest(read()); // skipping ends the reading
      pass();
      continue;
    }
    const frame = /** @type {Position} */ (queue.shift());
    const done = show(frame, frame.version !== shown);
    await soonest(done, wait(1500 * slowness()));
    const hold = Number(part("scene").dataset.hold ?? 0) * Math.min(1, Number(main.dataset.pace)) * slowness();
    if (hold && queue.length && !document.hidden) await soonest(wait(hold));
  }
  busy = false;
  finishRest();
}

// Quick bots must not leave the page in the past.
function pass() {
  while (queue.length > MOST_BEHIND && !read()) show(/** @type {Position} */ (queue.shift()), false);
}

// To the last position at once. True when there was something that had not been seen.
function skip() {
  const unseen = queue.length > 0;
  for (const frame of queue.splice(0)) show(frame, false);
  motion.finish();
  wake();
  return unseen;
}

/** @type {(page: ParentNode) => Base} */
function received(page) {
  const [scene, table] = ["scene", "table"].map((key) => /** @type {Element} */ (part(key, page).cloneNode(true)));
  return { scene, table, marks: /** @type {Marks} */ (the("main", page).dataset.have?.split(".")) };
}

/** @type {(update: Update) => unknown} */
function receive(update) {
  if (update.base.some((one, i) => one && one !== base.marks[i])) {
    base.marks = ["", ""]; // these changes fit another base: ask for everything
    return stream.connect();
  }
  /** @type {(html: string) => Element} */
  const whole = (html) => /** @type {Element} */ (parse(html).firstElementChild);
  if (update.version > known && acts(base.scene)) release(); // the player moved on another device: the first steps here are out of date
  const positions = update.frames.map((frame) => ({ ...frame, tree: (base.scene = frame.changes ? expand(base.scene, frame.html) : whole(frame.html)) }));
  if (update.table) base.table = update.base[1] ? expand(base.table, update.table) : whole(update.table);
  base.marks = update.marks;
  main.dataset.eyes = String(update.eyes);
  if (update.fresh) {
    queue = []; // drop what another seat on this device saw
    known = -1;
    part("log").replaceChildren();
  }
  queue.push(...positions.filter((one) => one.version >= known)); // an equal version may differ by an answer
  pass();
  known = Math.max(known, update.version);
  rest = update;
  if (document.hidden) skip();
  if (part("table").dataset.status === "waiting") {
    finishRest(); // only a result waits for the last roll to land
    rest = update; // what is offered once the game has begun asks for its first position
  }
  run();
}

/** @type {(scene: Element) => Element | null} */
const acts = (scene) => $("[data-action]:not([data-undo]), [data-pick]", scene);

// The stream ------------------------------------------------------------------------------------
const lost = the(".net"), broken = lost.textContent;
function online() {
  if (!lost.hidden) tell("Reconnected.");
  lost.hidden = true;
  main.removeAttribute("data-lost");
}
function offline(words = broken) {
  if (lost.hidden || lost.textContent !== words) tell(words);
  lost.textContent = words;
  lost.hidden = false;
  main.dataset.lost = "1";
}
const stream = follow({
  open: (query) => `${api}/events?since=${known}&eyes=${main.dataset.eyes}&have=${base.marks.join(".")}&${query}`,
  here: `${api}/here`,
  on: { update: (data) => receive(JSON.parse(data)), now: (data) => clock.now(Number(data)) },
  found: online,
  lost(problem, tries) {
    if (problem && [403, 404].includes(problem.status ?? 0)) offline(problem.message);
    else if (problem?.after) offline(`${explain(problem)} This page will try again automatically.`);
    else if (tries > 1 || !navigator.onLine) offline();
  },
});
addEventListener("offline", () => offline());
document.addEventListener("visibilitychange", () => document.hidden && skip());

// Reloads board and log from the stream, for the same positions in other words.
function anew() {
  known = -1;
  base.marks = ["", ""];
  stream.connect();
}

// Reloads the whole page in place.
async function resync() {
  try {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    if (!find("scene", page)) return;
    queue = [];
    motion.finish();
    base = received(page);
    for (const key of ["scene", "table", "log"]) patch(part(key), part(key, page));
    fit(part("scene"));
    const { dataset } = the("main", page);
    moved(known = Number(dataset.version));
    for (const name of ["status", "eyes"]) main.dataset[name] = dataset[name];
    updatePick();
    mark();
    listen();
    stream.connect();
  } catch {
    stream.connect();
  }
}

// What the person does --------------------------------------------------------------------------
/** @type {(move: string | undefined, button: HTMLElement) => Promise<void>} */
async function send(move, button) {
  if (sent === shown) return; // the stream may be faster than the answer, and the player faster than both
  const at = (sent = shown);
  release();
  button.classList.add("sent");
  picked = pressed().map((node) => [node.dataset.key ?? "", node.dataset.part]);
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
        if (after) say(find("reason") ?? main, explain(problem));
        else offline(refused ? broken : KEPT);
        const back = new Promise((resolve) => addEventListener("online", resolve, { once: true }));
        await Promise.race([back, wait(after ? 1000 * after : Math.min(4000, 300 * 2 ** attempt))]); // the same id: it cannot be made twice
      }
    }
  } catch (problem) {
    picked = null;
    button.classList.remove("sent");
    if (problem instanceof Refusal) await resync();
    complain(find("reason") ?? main, problem);
  }
  if (sent === at) sent = null;
}

const pressed = () => [...document.querySelectorAll('.scene [aria-pressed="true"]')];

function updatePick() {
  const button = find("b-pick");
  if (!button?.dataset.pick) return;
  const pick = picking(button), chosen = pressed();
  const tokens = chosen.map((node) => node.dataset.part).sort().join(",");
  const move = pick.moves[tokens], n = String(chosen.length);
  const why = pick.whys[n] ?? pick.whys[""];
  /** @type {Element} */ (button.firstElementChild).textContent = pick.label.replace("{n}", String(chosen.length || "")).trim();
  part("h-pick").textContent = move ? "" : pick.hints[n] ?? pick.hints[""] ?? "";
  if (move) {
    button.dataset.action = move;
    for (const name of ["aria-disabled", "data-why", "data-clause"]) button.removeAttribute(name);
    part("reason").textContent = "";
  } else {
    button.setAttribute("aria-disabled", "true");
    delete button.dataset.action;
    [button.dataset.why, button.dataset.clause] = why ?? ["You can’t choose this.", ""];
  }
}

/** @type {(node: HTMLElement) => unknown} */
function press(node) {
  if ("hint" in node.dataset) return use(import("./hint.js"), ({ hint }) => hint(node), node);
  if (node.dataset.action || "undo" in node.dataset) return unsure(node) || send(node.dataset.action, node);
  calm();
  if (node.dataset.part) {
    node.setAttribute("aria-pressed", String(node.getAttribute("aria-pressed") !== "true"));
    part("reason").textContent = "";
    return updatePick();
  }
  if ("all" in node.dataset) {
    const all = [...document.querySelectorAll(".scene [data-part]")].filter((one) => !one.closest(".aside"));
    const on = all.some((one) => one.getAttribute("aria-pressed") !== "true");
    for (const one of all) one.setAttribute("aria-pressed", String(on));
    return updatePick();
  }
  if (node.dataset.why) say(part("reason"), node.dataset.why, node.dataset.clause);
}

/** @type {(node: HTMLElement) => Promise<void>} */
async function act(node) {
  node.classList.add("sent");
  try {
    const answer = await post(`${api}/${node.dataset.post}`, JSON.parse(node.dataset.body || "{}"));
    if (answer.url) location.href = answer.url;
    else if (node.dataset.then) location.href = node.dataset.then;
    else if (stream.lost()) stream.connect();
  } catch (problem) {
    complain(node, problem);
  }
  node.classList.remove("sent");
}

const pressKey = take({ busy: () => busy, skip, press });
document.addEventListener("click", (event) => {
  /** @type {At} */
  const at = (selector) => event.target.closest?.(selector);
  const piece = at(".scene button"), posts = at("[data-post]"), board = at("button[data-board]");
  const minds = at("[data-phrase], [data-whom], [data-again]"), shares = at("[data-share], [data-qr]");
  if (piece) press(piece);
  else if (posts) act(posts);
  else if (board) main.toggleAttribute("data-board", board.dataset.board === "open");
  else if (minds) use(import("./manners.js"), ({ mind }) => mind(minds), minds);
  else if (shares) use(import("./share.js"), ({ share }) => share(shares), shares);
});
document.addEventListener("change", (event) => {
  const choice = event.target.closest("select[data-post]");
  if (!choice) return;
  const [kind, bot] = choice.value.split(":");
  const pace = choice.dataset.post === "pace";
  choice.dataset.body = JSON.stringify(pace ? { pace: kind } : { seat: Number(choice.dataset.seat), kind, ...(bot && { bot }) });
  act(choice);
});
// A line of chat; a typed move; words for the dice, sent from a page that shows what the house committed itself to; the
// host's choice of time.
document.addEventListener("submit", async (event) => {
  const form = event.target, { text, move, words } = /** @type {Partial<Fields<"text" | "move" | "words">>} */ (form.elements);
  if (!form.matches("[data-chat], [data-typed], [data-words], [data-time]")) return;
  event.preventDefault();
  if (move) return inWords(({ type }) => type(move));
  if (text && !text.value.trim()) return;
  try {
    if (text) {
      await post(`${api}/chat`, { text: text.value, id: (text.dataset.id ||= unique()) });
      text.value = text.dataset.id = "";
      say(text, "");
    } else if (words) await post(`${api}/sit`, { words: words.value });
    else await post(`${api}/tempo`, { tempo: (await import("./tempo.js")).tempo(new FormData(form)) });
  } catch (problem) {
    say(form.elements[0], explain(problem));
  }
});

document.addEventListener("keydown", (event) => {
  const focus = focused();
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (event.key === "Escape" && focus.id === "move") $(".acts")?.focus();
  if (focus.matches("input, textarea, select")) return;
  if (turn(event)) return;
  if (event.key === "Escape") return calm(), fold(null), drawer(false);
  if (event.key === "?") return help();
  if (event.shiftKey && /^[LPMO]$/i.test(event.key) && $(".scene .board")) {
    event.preventDefault();
    return inWords(({ answer }) => answer(event.key));
  }
  if (event.key === "/" && $("#move")) {
    event.preventDefault();
    tab("words");
    return the("#move").focus();
  }
  if (walk(event)) return;
  const key = event.key === " " ? "Enter" : event.key;
  if (key === "Enter" && focus.matches("button, a, summary") && focus.matches(":focus-visible")) return;
  const node = $(`.scene [data-shortcut="${CSS.escape(key)}"]`) ?? (key === "u" && $(".scene [data-undo]"));
  if (!node && key !== "Enter") return;
  event.preventDefault();
  if (!node) return skip();
  if (!event.repeat) pressKey(node);
});

// A click elsewhere folds whatever was unfolded over the board.
/** @type {(but: Element | null) => void} */
function fold(but) {
  for (const node of document.querySelectorAll(".scene details[open]")) if (node !== but) node.open = false;
}
document.addEventListener("pointerdown", (event) => fold(event.target.closest?.("details")));

/** @type {Record<string, string>} */
const ALSO = { Enter: ", Space", Backspace: ", u" };
function help() {
  const rows = [...document.querySelectorAll(".scene [data-shortcut]")].map((node) => {
    const row = document.createElement("li"), cap = document.createElement("kbd"), { shortcut = "" } = node.dataset;
    cap.textContent = shortcut + (ALSO[shortcut] ?? "");
    row.append(cap, " ", node.getAttribute("aria-label") ?? node.firstElementChild?.textContent ?? "");
    return row;
  });
  the("#keys .now").replaceChildren(...rows);
  the("#keys").showModal();
}
$("[data-help]")?.addEventListener("click", help);
document.addEventListener("parlour:renamed", () => stream.lost() && stream.connect());

tab("log", false);
updatePick();
mark();
offer();
force();
lead();
