// The service worker. It shows notifications, and opens their pages. Without a connection it serves the offline page, and
// the rulebooks opened before. The server adds SHELL and VERSION.
const NOW = `parlour-shell-${VERSION}`, BOOKS = "parlour-books";
const BOOK = /^\/rules\/[a-z-]+(\/sheet)?$/;

self.addEventListener("install", (event) => event.waitUntil(caches.open(NOW).then((shelf) => shelf.addAll(SHELL)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function tidy() {
  for (const name of await caches.keys()) if (name.startsWith("parlour-shell-") && name !== NOW) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(page(event));
  else if (SHELL.includes(new URL(request.url).pathname)) event.respondWith(caches.match(request).then((found) => found ?? fetch(request)).catch(() => Response.error()));
});

// A page from the server, else a stored rulebook or the offline page.
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

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data.json();
  } catch {} // browsers require a notification for each push
  const { title = "Parlour", text = "", tag = "parlour" } = told;
  const actions = told.end ? [{ action: "end", title: "Turn off" }] : [];
  event.waitUntil(self.registration.showNotification(title, { body: text, tag, data: told, actions, icon: "/static/now/icon-192.png" }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path = "/", end } = event.notification.data ?? {};
  event.waitUntil(event.action === "end" ? fetch(`/told/${end}`, { method: "POST" }) : open(path));
});

async function open(path) {
  const wanted = new URL(path, self.location.origin);
  if (wanted.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === wanted.pathname);
  await (there ? there.focus() : self.clients.openWindow(wanted.href));
}

// The browser replaced or ended its push subscription: moves its notifications to the new one.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

async function renew({ oldSubscription: old, newSubscription }) {
  if (!old) return; // the server could not know which one it replaces
  const made = newSubscription ?? (await self.registration.pushManager.subscribe(old.options));
  const { endpoint: address, keys } = made.toJSON();
  const body = JSON.stringify({ kind: "push", address, ...keys, instead: old.endpoint });
  const answer = await fetch("/api/me/told", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  if (answer?.ok) return;
  const how = { body: "Your browser’s push address changed. Turn them on again under You.", tag: "told", data: { path: "/me" } };
  await self.registration.showNotification("Notifications have stopped", how); // otherwise the player would not know
}
