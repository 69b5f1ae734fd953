// A table's stream: takes its updates, queues their positions, changes the rest of the page once the last is shown, and says
// when the connection is lost.
import { call } from "./call.js";
import * as clock from "./clock.js";
import { keep, meet } from "./focus.js";
import { force } from "./forced.js";
import { offer, release } from "./guide.js";
import { mark } from "./keys.js";
import { lead } from "./lead.js";
import { listen } from "./log.js";
import { expand, parse, patch } from "./patch.js";
import { add, finish as unmoved, hurrying, moved, pass, queue, run, rush, settle, shown, skip } from "./queue.js";
import { api, base, find, main, part, received } from "./received.js";
import { follow } from "./stream.js";
import { tab } from "./tabs.js";
import { tell } from "./told.js";
import { $, explain, the, visible } from "./ui.js";

export let known = shown; // the newest version received
/** @type {Update | null} */
let rest = null; // what else changes on the page once the last position is shown

function finish() {
  if (!rest) return;
  const chat = $("#panel-chat ol");
  const lines = chat?.querySelectorAll("[data-key]").length ?? 0, names = part("table").dataset.names, curtain = !!$(".curtain");
  patch(part("table"), base.table);
  clock.tick();
  if (names !== undefined && names !== part("table").dataset.names) anew(); // a player has a new name, which the log shows too
  const began = main.dataset.status === "waiting" && part("table").dataset.status === "playing";
  for (const name of ["status", "pace"]) main.dataset[name] = part("table").dataset[name];
  if (began && main.dataset.tab === "chat" && !visible(the("[data-drawer-close]")) && !$("#say:focus")) tab("log", false);
  const now = $("#panel-chat ol");
  if (call(rest.title, (now?.querySelectorAll("[data-key]").length ?? lines) - lines) && now) {
    now.scrollTop = now.scrollHeight;
    if (main.dataset.tab !== "chat") the("#tab-chat").classList.add("news");
    if (!visible(the("#panel-chat"))) the("[data-drawer]").classList.add("news"); // a phone shows no tab
  }
  rest = null;
  meet();
  if (curtain !== !!$(".curtain")) mark(); // it hides the scene, whose last position has been marked
  keep();
  offer();
  listen(queue.length > 0);
  force();
  lead();
  end();
}

// What a result needs, loaded with it. A result whose story is being made is not shown yet (table.css).
const RESULT = ".result.ending:not([data-making])";
let over = !!$(RESULT);
export function end() {
  if (!$(RESULT)) return (over = false);
  const live = !over;
  over = true;
  import("./ending.js").then(({ ending }) => ending(live), () => {}); // the result is complete without
}
if (over) end();

/** @type {(scene: Element) => Element | null} */
const acts = (scene) => $("[data-action]:not([data-undo]), [data-pick]", scene);
/** @type {(html: string) => Element} */
const whole = (html) => /** @type {Element} */ (parse(html).firstElementChild);

/** @type {(update: Update) => void} */
function receive(update) {
  if (update.base.some((one, i) => one && one !== base.marks[i])) {
    base.marks = ["", ""]; // these changes fit another base: ask for everything
    return stream.connect();
  }
  if (update.version > known && acts(base.scene)) release(); // the player moved on another device: the first steps here are out of date
  const positions = update.frames.map((frame) => ({ ...frame, tree: (base.scene = frame.changes ? expand(base.scene, frame.html) : whole(frame.html)) }));
  if (update.table) base.table = update.base[1] ? expand(base.table, update.table) : whole(update.table);
  base.marks = update.marks;
  main.dataset.eyes = String(update.eyes);
  if (update.fresh) {
    queue.length = 0; // drop what another seat on this device saw
    known = -1;
    part("log").replaceChildren();
  }
  add(positions.filter((one) => one.version >= known)); // an equal version may differ by an answer
  pass();
  known = Math.max(known, update.version);
  rest = update;
  if (document.hidden) skip();
  else if (hurrying()) rush();
  if (part("table").dataset.status === "waiting") {
    finish(); // only a result waits for the last roll to land
    rest = update; // what is offered once the game has begun asks for its first position
  }
  run(finish);
}

// The line that says that the connection is lost.
const lost = the(".net");
export const broken = lost.textContent;

function online() {
  if (!lost.hidden) tell("Reconnected.");
  lost.hidden = true;
  main.removeAttribute("data-lost");
}

export function offline(words = broken) {
  if (lost.hidden || lost.textContent !== words) tell(words);
  lost.textContent = words;
  lost.hidden = false;
  main.dataset.lost = "1";
}

export const stream = follow({
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
document.addEventListener("parlour:renamed", () => stream.lost() && stream.connect());

// Reloads board and log from the stream, for the same positions in other words.
function anew() {
  known = -1;
  base.marks = ["", ""];
  stream.connect();
}

// Reloads the whole page in place.
export async function resync() {
  try {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    if (!find("scene", page)) return;
    queue.length = 0;
    unmoved();
    Object.assign(base, received(page));
    for (const key of ["scene", "table", "log"]) patch(part(key), part(key, page));
    const { dataset } = the("main", page);
    moved(known = Number(dataset.version));
    for (const name of ["status", "eyes"]) main.dataset[name] = dataset[name];
    settle();
    stream.connect();
  } catch {
    stream.connect();
  }
}
