// Holds the match: Python (Pyodide) with Parlour's own rules, scenes and bots. It answers the page one question after the
// other, and lets the bots move in between.
const page = /** @type {Worker} */ (/** @type {unknown} */ (self));
const HOME = "/parlour"; // where Parlour's files are for Python

/** @type {(door: Door) => void} */
let opened;
/** @type {(problem: unknown) => void} */
let refused;
/** @type {Promise<Door>} */
const door = new Promise((resolve, reject) => ([opened, refused] = [resolve, reject]));
door.catch((problem) => (console.error(problem), page.postMessage({ failed: true })));

// Packed files are packed by us, as few servers send them so: WebAssembly is a third as large then.
/** @type {(address: string, type: string) => Promise<Response>} */
async function unpacked(address, type) {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

/** @type {(given: Given) => Promise<Door>} */
async function load({ python, bundles, game }) {
  const wasm = unpacked(`${python}pyodide.asm.wasm.bin`, "application/wasm");
  const library = fetch(`${python}python_stdlib.zip`);
  const script = unpacked(`${python}pyodide.asm.mjs.bin`, "text/javascript").then((answer) => answer.blob());
  const folders = Promise.all(bundles.map((address) => unpacked(address, "application/json").then((answer) => answer.json())));
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const { default: createPyodideModule } = await import(URL.createObjectURL(await script));
  const far = self.fetch; // Pyodide asks for these two by their addresses
  self.fetch = (what, settings) => {
    const name = String(what instanceof Request ? what.url : what);
    return name.endsWith("/pyodide.asm.wasm") ? wasm : name.endsWith("/python_stdlib.zip") ? library : far(what, settings);
  };
  const pyodide = await loadPyodide({ indexURL: python, createPyodideModule });
  self.fetch = far;
  for (const files of await folders) {
    for (const [path, text] of Object.entries(files)) {
      pyodide.FS.mkdirTree(`${HOME}/${path.slice(0, path.lastIndexOf("/"))}`);
      pyodide.FS.writeFile(`${HOME}/${path}`, text);
    }
  }
  pyodide.runPython(`import sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, "${HOME}")\nfrom parlour.solo import structs\nstructs.stand_in()\nfrom parlour.solo.door import Door`);
  return pyodide.globals.get("Door")(...game);
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
