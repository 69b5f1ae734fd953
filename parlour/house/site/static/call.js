// Calls a player back who isn't looking at the page: by its title, the window's icon, a badge on the app, and a sound.
// The server puts their turn into the title, but no secret question, so that no one beside them learns of it.
import { prefers } from "./preferences.js";
import { $, remember, the } from "./ui.js";

const RESTS = 8000; // milliseconds without a touch or a key, after which they may be looking elsewhere
const BEHIND = 2, LONG = 120, PUT_AWAY = 30; // seconds
const MINE = "Your turn: ", RANG = "parlour-rang", ONCE = 60000; // ms in which only one of several pages rings

let /** @type {Promise<typeof import("./sound.js")> | null | undefined} */ player, /** @type {string[] | undefined} */ known;
let touched = Date.now(), title = document.title, mine = title.startsWith(MINE), others = 0;
const icon = the("link[rel=icon]"), calm = icon.href, here = $("main")?.dataset.table;
const looks = () => !document.hidden && document.hasFocus() && Date.now() - touched < RESTS;

function unlock() {
  touched = Date.now();
  if (prefers("sound") === "off") return;
  player ??= import("./sound.js");
  player.then(({ wake }) => wake(), () => (player = null));
}

// `kind`: the preference that allows it.
/** @type {(kind: string, name?: string) => void} */
export function ring(kind, name) {
  if (prefers("sound") !== "off" && prefers(kind) !== "off") player?.then(({ sound }) => sound(name));
}

// Marks the title, the icon and the badge while something is waiting and they aren't looking.
function mark() {
  document.title = others ? `(${others}) ${title}` : title;
  const waits = (mine || others) && (document.hidden || !document.hasFocus());
  const wanted = waits ? calm.replace("icon.svg", "icon-turn.svg") : calm;
  if (icon.href === wanted) return;
  icon.href = wanted;
  (waits ? navigator.setAppBadge?.(others + +mine) : navigator.clearAppBadge?.())?.catch(() => {});
}

// Called after each change of a table's page, with its title and the number of new messages; returns whether any came.
/** @type {(now: string, lines: number) => boolean} */
export function call(now, lines) {
  const before = mine;
  mine = (title = now).startsWith(MINE);
  if (mine !== before) remember(RANG, mine ? `turns ${here} ${Date.now()}` : "");
  if (!looks()) mine && !before ? ring("turns") : lines > 0 && ring("chats", "chat");
  mark();
  return lines > 0;
}

// What is waiting elsewhere, as "turns ID" or "invitations ID". Of several open pages one rings: that of the table, else
// the first to learn of it. Returns what is new since the page was opened.
/** @type {(waiting: string[]) => string[]} */
export function elsewhere(waiting) {
  const before = known, news = before ? waiting.filter((one) => !before.includes(one)) : [];
  known = waiting;
  others = waiting.length;
  const [kind, id, when] = (remember(RANG) ?? "").split(" "), rang = `${kind} ${id}`;
  if (id !== here && !waiting.includes(rang)) remember(RANG, ""); // it may come again
  for (const one of news) {
    if (one === rang && Date.now() - +when < ONCE) continue;
    remember(RANG, `${one} ${Date.now()}`);
    if (!looks()) ring(one.split(" ")[0]);
  }
  mark();
  return news;
}

// Tells the server when the page is hidden, so that it sends notifications instead; and after a while that the player is
// away. A phone plays no sound for a hidden page, which closes its stream. `again(must)` reopens the stream; unless it
// must, only if it is lost.
let hidden = 0, /** @type {Timer[]} */ timers = [];
/** @type {(and: string) => string} */
export const hiding = (and) => (hidden ? `${and}hidden=${hidden}` : "");
/** @type {(again: (must: boolean) => unknown, letGo: () => void) => void} */
export function away(again, letGo) {
  const look = () => {
    timers.forEach(clearTimeout);
    timers = [];
    if (!document.hidden) return again(hidden > 0 && !(hidden = 0));
    const phone = matchMedia("(pointer: coarse)").matches;
    for (const seconds of [BEHIND, LONG]) if (!phone || seconds < PUT_AWAY) timers.push(setTimeout(() => again((hidden = seconds) > 0), 1000 * seconds));
    if (phone) timers.push(setTimeout(letGo, 1000 * PUT_AWAY));
  };
  if (document.hidden) look();
  document.addEventListener("visibilitychange", look);
}

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, unlock, { capture: true, passive: true });
document.addEventListener("visibilitychange", mark);
for (const kind of ["focus", "blur"]) addEventListener(kind, mark);

// Plays a sound when it is chosen.
$("[data-prefer=sound]")?.addEventListener("change", () => {
  unlock();
  setTimeout(() => player?.then(({ sound }) => prefers("sound") !== "off" && sound()), 60);
});
