// The service worker of a site without a server: it stores all files at once, and serves them from there. A new version
// waits until no page of the old one is open. `parlour site` adds SHELL and VERSION.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const NOW = `parlour-site-${VERSION}`;

worker.addEventListener("install", (event) => event.waitUntil(caches.open(NOW).then((shelf) => shelf.addAll(SHELL.map((name) => new Request(name, { cache: "no-cache" }))))));
worker.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function tidy() {
  for (const name of await caches.keys()) if (name.startsWith("parlour-site-") && name !== NOW) await caches.delete(name);
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(find(event.request));
});

/** @type {(request: Request) => Promise<Response>} */
async function find(request) {
  const kept = await (await caches.open(NOW)).match(request, { ignoreSearch: true });
  return kept ?? fetch(request);
}
