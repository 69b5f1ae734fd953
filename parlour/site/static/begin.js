// Starts Python for this page, while the page itself is still loading. It is the first script, so it imports nothing.
{
  const said = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  /** @type {(name?: string) => string} */
  const place = (name = "") => new URL(name, document.baseURI).href;
  /** @type {Given} */
  const given = {
    python: place(said.python),
    library: place(said.library),
    rest: place(said.rest),
    bundles: (said.bundles ?? "").split(" ").map(place),
    game: [...(said.game ?? "").split(" "), said.rules ?? ""],
  };
  const worker = Object.assign(new Worker(place(said.worker), { type: "module" }), { failed: false });
  worker.onerror = () => (worker.failed = true); // local.js, which says so, may not be there yet
  worker.postMessage(given);
  Object.assign(globalThis, { worker });
}
