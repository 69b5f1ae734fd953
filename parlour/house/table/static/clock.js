// Clocks on the players' plates, and a note where a bot plays for someone. The server sends the moment at which a clock
// is up, in its own time. The page keeps only the difference to its own count, so a wrong clock on the device is harmless.
import { ring } from "./call.js";
import { tell } from "./told.js";
import { $, the } from "./ui.js";
import { when } from "./when.js";

const LOW = 30, LOW_BY_POST = 3600, SOON = 10; // seconds left at which a clock turns red, and at which the page says so
/** @type {string | undefined} */
let warned;
let ahead = -Infinity, shown = performance.now();

// Takes the server's time: the message that came fastest is the most exact.
/** @type {(time: number) => void} */
export function now(time) {
  ahead = Math.max(ahead, time - performance.now() / 1000);
  tick();
}

// A new position is shown: thinking time starts now.
export const begin = () => (shown = performance.now());

// The thinking time to send with the move: the server gives back what message and motion took.
export const thought = () => ($(".clocks") ? { thought: Math.round(performance.now() - shown) / 1000 } : {});

/** @type {(left: number, slow: boolean) => string} */
function words(left, slow) {
  if (slow) left += left >= 86400 ? 3599 : 59; // round up
  const [d, h, m] = [left / 86400, (left / 3600) % 24, (left / 60) % 60].map(Math.floor), s = Math.floor(left % 60);
  if (slow && d) return `${d} d ${h} h`;
  if (slow && left >= 3600) return `${h} h ${m} min`;
  return `${m + 60 * (h + 24 * d)}:${String(s).padStart(2, "0")}`;
}

// Marks absent players on their plates.
function missing() {
  const gone = (the(".rest").dataset.gone ?? "").split(" ");
  for (const plate of document.querySelectorAll('.scene .seat[data-key^="seat-"]')) {
    const mark = $(":scope > .gone", plate), is = gone.includes((plate.dataset.key ?? "").slice(5));
    if (mark && !is) mark.remove();
    if (mark || !is) continue;
    const made = document.createElement("span");
    made.className = "gone";
    made.textContent = $(".clocks[data-slow]") ? "on holiday" : "away"; // in slow games no one sits and waits
    plate.append(made);
  }
}

export function tick() {
  missing();
  when();
  const list = $(".clocks");
  if (!list) for (const one of document.querySelectorAll(".seat > .clock")) one.remove();
  else for (const { dataset } of list.children) {
    const plate = $(`.scene [data-key="seat-${dataset.seat}"]`), runs = Number(dataset.until ?? 0), slow = "slow" in list.dataset;
    if (!plate || !(runs || dataset.away || (!slow && Number(dataset.left)))) {
      $(".clock", plate ?? list)?.remove();
      continue;
    }
    let clock = $(":scope > .clock", plate);
    if (!clock) {
      clock = document.createElement("span");
      clock.className = "clock";
      plate.append(clock);
    }
    const left = Math.max(0, runs ? runs - ahead - performance.now() / 1000 : Number(dataset.left));
    const soon = runs && left < SOON && $(".me", plate);
    const text = dataset.away ?? (soon ? `${Math.ceil(left)} s left` : left < Infinity ? words(left, slow) : "");
    clock.setAttribute("role", dataset.away ? "note" : "timer");
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("runs", runs > 0);
    clock.classList.toggle("low", runs > 0 && left < (slow ? LOW_BY_POST : LOW));
    clock.classList.toggle("soon", !!soon);
    if (soon && warned !== dataset.until) {
      warned = dataset.until; // once for each decision
      ring("turns", "time");
      tell(`You have ${Math.ceil(left)} seconds left.`);
    }
  }
}
setInterval(tick, 200);
