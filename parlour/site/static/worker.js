// Holds the match: Python (Pyodide) with Parlour's own rules, scenes and bots. It answers the page one question after the
// other, and lets the bots move in between.
import { keep, shelf, start } from "./python.js";

const page = /** @type {Worker} */ (/** @type {unknown} */ (self));
const LATER = 3000; // milliseconds after which the memory is stored: first the reader plays

/** @type {(door: Door) => void} */
let opened;
/** @type {(problem: unknown) => void} */
let refused;
/** @type {Promise<Door>} */
const door = new Promise((resolve, reject) => ([opened, refused] = [resolve, reject]));
door.catch((problem) => (console.error(problem), page.postMessage({ failed: true })));

/** @type {(given: Given) => Promise<Door>} */
async function load(given) {
  const kept = await shelf, key = `${given.library}?${given.bundles[0]}`;
  const importing = `from parlour.solo.door import Door\nDoor(*${JSON.stringify(given.game)}).ready()`;
  const enter = (/** @type {Pyodide} */ python) => /** @type {Door} */ (python.globals.get("Door")(...given.game));
  const stored = await kept?.match(key);
  if (stored) {
    try {
      return enter((await start(given, importing, stored.arrayBuffer())).python);
    } catch (problem) {
      console.warn(problem); // begin as at first
      await kept?.delete(key);
    }
  }
  const { python, memory } = await start(given, importing);
  if (kept && memory) setTimeout(() => keep(kept, given.python, key, memory).catch(() => {}), LATER); // there may be no room
  return enter(python);
}

// Sends what is new, and lets the bots move in their time.
let waiting = 0;
/** @type {(here: Door, since?: number) => void} */
function send(here, since = -1) {
  const update = here.update(since);
  if (update) page.postMessage({ update, saved: here.saved() });
  clearTimeout(waiting);
  const due = here.due();
  if (due >= 0) waiting = setTimeout(() => (here.go_on(), send(here)), due);
}

page.onmessage = async ({ data }) => {
  if (data.python) return load(data).then(opened, refused);
  const here = await door.catch(() => null);
  if (!here) return page.postMessage({ failed: true });
  if (data.id) page.postMessage({ id: data.id, answer: asked(here, data.deed, data.body) });
  send(here, data.since);
};

/** @type {(here: Door, deed: string, body: string) => string} */
function asked(here, deed, body) {
  try {
    return here.ask(deed, body);
  } catch (problem) { // an error in the game's own code
    console.error(problem);
    return JSON.stringify([400, { error: { code: "failed", message: "This can’t be done: there is an error in the game." } }]);
  }
}
