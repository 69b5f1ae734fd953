// Holds the match: Python (Pyodide) with Parlour's own rules, scenes and bots. It answers the page one question after the
// other, and lets the bots move in between.
const page = /** @type {Worker} */ (/** @type {unknown} */ (self));
const HOME = "/parlour"; // where Parlour's files are for Python
const MEMORY = "parlour-memory"; // a cache
const LATER = 3000; // milliseconds after which the memory is stored: first the reader plays
const IMPORT = `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "${HOME}")
from parlour.solo import structs
structs.stand_in()
from parlour.solo.door import Door
`;

/** @type {(door: Door) => void} */
let opened;
/** @type {(problem: unknown) => void} */
let refused;
/** @type {Promise<Door>} */
const door = new Promise((resolve, reject) => ([opened, refused] = [resolve, reject]));
door.catch((problem) => (console.error(problem), page.postMessage({ failed: true })));

// What a later visit begins with; browsers have caches where the address is secure (https, or this computer).
const shelf = Promise.resolve(self.caches?.open(MEMORY)).catch(() => undefined);
const WASM = "pyodide.asm.wasm.bin", SCRIPT = "pyodide.asm.mjs.bin";
/** @type {Record<string, string>} */
const TYPES = { [WASM]: "application/wasm", [SCRIPT]: "text/javascript" };

// Packed files are packed by us, as few servers send them so: WebAssembly is a third as large then.
/** @type {(address: string) => Promise<Response>} */
async function unpacked(address) {
  const stored = await (await shelf)?.match(address);
  if (stored) return stored;
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  const type = TYPES[address.slice(address.lastIndexOf("/") + 1)] ?? "application/json";
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

/** @type {(given: Given) => Promise<Door>} */
async function load(given) {
  const kept = await shelf, key = `${given.python}memory?${given.bundles[0]}`;
  const stored = await kept?.match(key);
  if (stored) {
    try {
      return (await start(given, stored.arrayBuffer())).enter();
    } catch (problem) {
      console.warn(problem); // begin as at first
      await kept?.delete(key);
    }
  }
  const { memory, enter } = await start(given);
  if (kept && memory) setTimeout(() => keep(kept, given.python, key, memory).catch(() => {}), LATER); // there may be no room
  return enter();
}

/** @type {(kept: Cache, python: string, key: string, memory: Uint8Array<ArrayBuffer>) => Promise<void>} */
async function keep(kept, python, key, memory) {
  for (const old of await kept.keys()) await kept.delete(old);
  for (const name of [WASM, SCRIPT]) await kept.put(python + name, await unpacked(python + name));
  await kept.put(key, new Response(memory)); // last: with it everything is there
}

// Starts Python, and imports Parlour; or continues from the memory of a Python that had done both. Returns the memory to
// continue from, and the function that opens the door for the game.
/** @type {(given: Given, stored?: Promise<ArrayBuffer>) => Promise<{ memory: Uint8Array<ArrayBuffer> | null, enter: () => Door }>} */
async function start({ python, bundles, game }, stored) {
  const wasm = unpacked(python + WASM);
  const library = fetch(`${python}python_stdlib.zip`);
  const script = unpacked(python + SCRIPT).then((answer) => answer.blob());
  const folders = Promise.all(bundles.map((address) => unpacked(address).then((answer) => answer.json())));
  for (const one of [wasm, library, script, folders]) one.catch(() => {}); // the first to fail is said below, for all
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const { default: createPyodideModule } = await import(URL.createObjectURL(await script));
  const far = self.fetch; // Pyodide asks for these two by their addresses
  self.fetch = (what, settings) => {
    const name = String(what instanceof Request ? what.url : what);
    return name.endsWith("/pyodide.asm.wasm") ? wasm : name.endsWith("/python_stdlib.zip") ? library : far(what, settings);
  };
  const begun = stored ? { _loadSnapshot: stored } : { _makeSnapshot: true };
  const pyodide = await loadPyodide({ indexURL: python, createPyodideModule, ...begun });
  self.fetch = far;
  for (const files of await folders) {
    for (const [path, text] of Object.entries(files)) {
      pyodide.FS.mkdirTree(`${HOME}/${path.slice(0, path.lastIndexOf("/"))}`);
      pyodide.FS.writeFile(`${HOME}/${path}`, text);
    }
  }
  if (!stored) pyodide.runPython(IMPORT);
  const memory = stored ? null : pyodide.makeMemorySnapshot();
  return { memory, enter: () => pyodide.runPython("import importlib; importlib.invalidate_caches(); Door")(...game) };
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
