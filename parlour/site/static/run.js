// Runs the programs that a page shows: Python (Pyodide) with Parlour's plain library, in a worker of its own.
import { start } from "./python.js";

const page = /** @type {Worker} */ (/** @type {unknown} */ (self));
const IMPORT = "import parlour\nfrom parlour.solo.program import Program\nrun = Program().run";
/** @type {Promise<{ python: Pyodide }>} */
let ready;

page.onmessage = async ({ data }) => {
  if (data.python) {
    ready = start(data, IMPORT);
    ready.catch(() => {}); // each program says so
    return;
  }
  try {
    const { python } = await ready;
    page.postMessage(JSON.parse(String(python.globals.get("run")(data.code))));
  } catch (problem) {
    console.error(problem);
    page.postMessage({ failed: true });
  }
};
