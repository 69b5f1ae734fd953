// Starts Python (Pyodide) in a worker, with Parlour's own files; or continues from the memory of a Python that was started
// before.
const HOME = "/parlour"; // where Parlour's files are for Python
const MEMORY = "parlour-memory"; // a cache
const WASM = "pyodide.asm.wasm.bin", SCRIPT = "pyodide.asm.mjs.bin";
/** @type {Record<string, string>} */
const TYPES = { [WASM]: "application/wasm", [SCRIPT]: "text/javascript" };

// What a later visit begins with; browsers have caches where the address is secure (https, or this computer).
export const shelf = Promise.resolve(self.caches?.open(MEMORY)).catch(() => undefined);

// Packed files are packed by us, as few servers send them so: WebAssembly is a third as large then.
/** @type {(address: string) => Promise<Response>} */
async function unpacked(address) {
  const stored = await (await shelf)?.match(address);
  if (stored) return stored;
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  const type = TYPES[address.slice(address.lastIndexOf("/") + 1)] ?? "application/octet-stream";
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

/** @type {(address: string) => Promise<ArrayBuffer>} */
const bytes = async (address) => (await unpacked(address)).arrayBuffer();

// Imports Parlour, and what else `importing` says; memory may be given in which that was done. Returns Python, and its
// memory, if a later visit can begin with that.
/** @type {(given: Needed, importing: string, stored?: Promise<ArrayBuffer>) => Promise<{ python: Pyodide, memory: Uint8Array<ArrayBuffer> | null }>} */
export async function start({ python: folder, library, rest, bundles }, importing, stored) {
  const wasm = unpacked(folder + WASM);
  const script = unpacked(folder + SCRIPT).then((answer) => answer.blob());
  const zip = unpacked(library);
  const files = Promise.all(bundles.map(bytes));
  for (const one of [wasm, script, zip, files]) one.catch(() => {}); // the first to fail is said below, for all
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const { default: createPyodideModule } = await import(URL.createObjectURL(await script));
  const far = self.fetch; // Pyodide asks for these two by their addresses
  self.fetch = (what, settings) => {
    const name = String(what instanceof Request ? what.url : what);
    return name.endsWith("/pyodide.asm.wasm") ? wasm : name.endsWith("/python_stdlib.zip") ? zip : far(what, settings);
  };
  const begun = stored ? { _loadSnapshot: stored } : { _makeSnapshot: true };
  /** @type {Pyodide} */
  const python = await loadPyodide({ indexURL: folder, createPyodideModule, ...begun });
  self.fetch = far;
  for (const bundle of await files) write(python, bundle);
  if (stored) {
    python.runPython("library.again()");
    return { python, memory: null };
  }
  // The stand-in for msgspec comes before its own package, which needs msgspec.
  python.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path[:0] = ["${HOME}", "${HOME}/parlour/solo"]
import structs
structs.stand_in()
del sys.path[1]
from parlour.solo import library
library.extend(${JSON.stringify(rest)})
${importing}`);
  return { python, memory: python.makeMemorySnapshot() };
}

// Gives Python the files of a bundle: a list of them with their sizes comes first, with its own length before it.
/** @type {(python: Pyodide, bundle: ArrayBuffer) => void} */
function write({ FS }, bundle) {
  const begin = 4, size = new DataView(bundle).getUint32(0);
  const list = JSON.parse(new TextDecoder().decode(new Uint8Array(bundle, begin, size)));
  let at = begin + size, last = "";
  for (const [path, length] of Object.entries(list)) {
    const folder = `${HOME}/${path.slice(0, path.lastIndexOf("/"))}`;
    if (folder !== last) FS.mkdirTree(folder);
    last = folder;
    FS.writeFile(`${HOME}/${path}`, new Uint8Array(bundle, at, length), { canOwn: true });
    at += length;
  }
}

/** @type {(kept: Cache, folder: string, key: string, memory: Uint8Array<ArrayBuffer>) => Promise<void>} */
export async function keep(kept, folder, key, memory) {
  for (const old of await kept.keys()) await kept.delete(old);
  for (const name of [WASM, SCRIPT]) await kept.put(folder + name, await unpacked(folder + name));
  await kept.put(key, new Response(memory)); // last: with it everything is there
}
