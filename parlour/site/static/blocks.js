// The documentation's Python blocks run in the page. After each block that can run, the page has a `.parlour-run`; its
// data-needs are the numbers of earlier blocks that it uses. `parlour.site` writes what runs them into play/.
const home = new URL("../play/", import.meta.url);
const places = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".parlour-run"));
/** @type {Worker | null} */
let worker = null;
/** @type {Set<Element>} */
const done = new Set(); // the blocks that this worker has run
/** @type {(() => void) | null} */
let stop = null;

async function started() {
  const given = await (await fetch(new URL("python.json", home))).json();
  /** @type {(name: string) => string} */
  const place = (name) => new URL(name, home).href;
  const made = new Worker(place(given.worker), { type: "module" });
  const { folder, library, rest, bundles } = given;
  made.postMessage({ python: place(folder), library: place(library), rest: place(rest), bundles: bundles.map(place) });
  done.clear();
  return made;
}

/** @type {(code: string) => Promise<{ output?: string, html?: string, done?: boolean, failed?: boolean, stopped?: boolean }>} */
async function run(code) {
  const by = (worker ??= await started());
  return new Promise((resolve) => {
    by.onmessage = ({ data }) => resolve(data);
    by.onerror = () => resolve({ failed: true });
    stop = () => (by.terminate(), (worker = null), resolve({ stopped: true }));
    by.postMessage({ code });
  });
}

/** @type {(place: HTMLElement) => HTMLElement[]} */
function before(place) {
  const needed = (place.dataset.needs ?? "").split(" ").filter(Boolean);
  return [...places].filter((one) => needed.includes(one.dataset.block ?? "") && !done.has(one));
}

/** @type {(place: HTMLElement) => Promise<void>} */
async function pressed(place) {
  for (const one of [...before(place), place]) {
    show(one, "It runs …");
    const code = one.previousElementSibling?.querySelector("code")?.textContent ?? "";
    const answer = await run(code).catch(() => ({ failed: true }));
    stop = null;
    if (answer.failed) worker = null;
    show(one, words(answer), "html" in answer ? answer.html : "");
    if (!("done" in answer) || !answer.done) return;
    done.add(one);
  }
}

/** @type {(answer: { output?: string, html?: string, failed?: boolean, stopped?: boolean }) => string} */
function words({ output, html, failed, stopped }) {
  if (failed) return "Python can’t be loaded right now. Check the connection, and press Run again.";
  if (stopped) return "You stopped it.";
  return output || (html ? "" : "It ran, and printed nothing.");
}

/** @type {(place: HTMLElement, text: string, html?: string) => void} */
function show(place, text, html = "") {
  const output = /** @type {HTMLElement} */ (place.querySelector("output"));
  output.replaceChildren();
  if (text) output.append(Object.assign(document.createElement("pre"), { textContent: text }));
  if (html) output.append(Object.assign(document.createElement("div"), { innerHTML: html })); // a frame of its own
}

for (const place of places) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Run", className: "md-button" });
  button.addEventListener("click", async () => {
    if (stop) return stop();
    for (const one of document.querySelectorAll(".parlour-run button")) one.textContent = "Stop";
    await pressed(place);
    for (const one of document.querySelectorAll(".parlour-run button")) one.textContent = "Run";
  });
  place.replaceChildren(button, document.createElement("output"));
}
