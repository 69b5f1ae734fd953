// The moderators' notice to everyone, until it is dismissed here or withdrawn. Loaded when there is one.
import { remember } from "./ui.js";

const NAME = "parlour-notice"; // the last that was dismissed in this browser
/** @type {HTMLElement | undefined} */
let place;

// Loads its stylesheet with it, so that other pages stay small.
function dress() {
  if (place) return;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("notice.css", import.meta.url).href;
  document.head.append(sheet);
}

/** @type {(notice: Notice) => void} */
export function show({ id, text }) {
  const name = String(id);
  if (!text || remember(NAME) === name) return place?.remove();
  if (place?.dataset.id !== name) {
    place?.remove();
    dress();
    place = document.createElement("aside");
    place.className = "notice";
    place.ariaLabel = "Notice";
    place.dataset.id = name;
    const words = document.createElement("p"), close = document.createElement("button");
    close.className = "plain";
    close.textContent = "Dismiss";
    close.addEventListener("click", () => {
      remember(NAME, name);
      place?.remove();
    });
    words.setAttribute("role", "status");
    place.append(words, close);
  }
  if (!place.isConnected) document.querySelector("header.site")?.after(place);
  /** @type {HTMLElement} */ (place.firstElementChild).textContent = text;
}

// Pages without a stream ask for it at once, and now and then while visible.
const EVERY = 30000; // ms
let asked = 0;
async function ask() {
  if (document.hidden || Date.now() - asked < EVERY) return;
  asked = Date.now();
  try {
    const answer = await fetch("/api/notice");
    if (answer.ok) show(await answer.json());
  } catch {} // the next look will do
}
if (!["lobby", "table"].includes(document.body.dataset.page ?? "")) {
  ask();
  setInterval(ask, 5000);
  document.addEventListener("visibilitychange", ask);
}
