// Shows what the house tells while no page is open, and leads there. It keeps nothing and answers no requests.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data.json();
  } catch {} // a browser wants something to be shown for each push
  const { title = "Parlour", text = "", tag = "parlour" } = told;
  const actions = told.end ? [{ action: "end", title: "No more of these" }] : [];
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
