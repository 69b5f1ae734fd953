// The offline page: retries automatically, and links to the rulebooks stored on this device.
const the = /** @type {The} */ ((selector) => document.querySelector(selector));
const EVERY = 3000; // milliseconds

async function again() {
  try {
    const answer = await fetch("/health", { cache: "no-store" });
    if (answer.ok && location.pathname !== "/offline") location.reload();
  } catch {} // not yet
}

function tell() {
  the("[data-away]").hidden = !navigator.onLine;
  the("[data-alone]").hidden = navigator.onLine;
}

for (const kind of ["online", "offline"]) addEventListener(kind, () => (tell(), again()));
document.addEventListener("visibilitychange", () => document.hidden || again());
setInterval(() => document.hidden || again(), EVERY);
the("[data-again]").addEventListener("click", () => location.reload());
tell();

const shelf = await self.caches?.open("parlour-books");
for (const request of (await shelf?.keys()) ?? []) {
  const page = new DOMParser().parseFromString((await (await shelf.match(request))?.text()) ?? "", "text/html");
  const line = document.createElement("li"), link = Object.assign(document.createElement("a"), { href: request.url, textContent: page.title });
  line.append(link);
  the("[data-books]").append(line);
  the("[data-shelf]").hidden = false;
}
