// The service worker. It shows notifications, and opens their pages. Without a connection it serves the offline page, and
// the rulebooks opened before. The server adds SHELL and VERSION.
// In the types of a worker `self` may be of any kind.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const NOW = `parlour-shell-${VERSION}`, BOOKS = "parlour-books";
const BOOK = /^\/rules\/[a-z-]+(\/sheet)?$/;

worker.addEventListener("install", (event) => event.waitUntil(caches.open(NOW).then((shelf) => shelf.addAll(SHELL)).then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function tidy() {
  for (const name of await caches.keys()) if (name.startsWith("parlour-shell-") && name !== NOW) await caches.delete(name);
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(page(event));
  else if (SHELL.includes(new URL(request.url).pathname)) event.respondWith(caches.match(request).then((found) => found ?? fetch(request)).catch(() => Response.error()));
});

// A page from the server, else a stored rulebook or the offline page.
/** @type {(event: FetchEvent) => Promise<Response>} */
async function page(event) {
  const { pathname } = new URL(event.request.url);
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (answer.ok && BOOK.test(pathname)) {
      const copy = answer.clone();
      event.waitUntil(caches.open(BOOKS).then((shelf) => shelf.put(pathname, copy)).catch(() => {})); // no room left
    }
    return answer;
  } catch {
    return (await caches.open(BOOKS).then((shelf) => shelf.match(pathname))) ?? (await caches.match("/offline")) ?? Response.error();
  }
}

worker.addEventListener("push", (event) => {
  /** @type {Payload} */
  let payload = {};
  try {
    payload = event.data?.json() ?? {};
  } catch {} // browsers require a notification for each push
  const { title = "Parlour", text = "", tag = "parlour" } = payload;
  const actions = payload.end ? [{ action: "end", title: "Turn off" }] : [];
  event.waitUntil(worker.registration.showNotification(title, { body: text, tag, data: payload, actions, icon: "/static/now/icon-192.png" }));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path = "/", end } = event.notification.data ?? {};
  event.waitUntil(event.action === "end" ? fetch(`/told/${end}`, { method: "POST" }) : open(path));
});

/** @type {(path: string) => Promise<void>} */
async function open(path) {
  const wanted = new URL(path, worker.location.origin);
  if (wanted.origin !== worker.location.origin) return;
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((one) => new URL(one.url).pathname === wanted.pathname);
  await (there ? there.focus() : worker.clients.openWindow(wanted.href));
}

// The browser replaced or ended its push subscription: moves its notifications to the new one.
worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

/** @type {(change: PushSubscriptionChangeEvent) => Promise<void>} */
async function renew({ oldSubscription: old, newSubscription }) {
  if (!old) return; // the server could not know which one it replaces
  const made = newSubscription ?? (await worker.registration.pushManager.subscribe(old.options));
  const { endpoint: address, keys } = made.toJSON();
  const body = JSON.stringify({ kind: "push", address, ...keys, instead: old.endpoint });
  const answer = await fetch("/api/me/told", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  if (answer?.ok) return;
  const how = { body: "Your browser’s push address changed. Turn them on again under You.", tag: "told", data: { path: "/me" } };
  await worker.registration.showNotification("Notifications have stopped", how); // otherwise the player would not know
}
