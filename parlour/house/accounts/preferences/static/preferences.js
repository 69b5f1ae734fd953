// Preferences: set on the root of the page, applied at once, and stored by the server. No value: the default.
import { explain, post, say } from "./ui.js";

const root = document.documentElement, dim = matchMedia("(prefers-reduced-motion: reduce)"), dark = matchMedia("(prefers-color-scheme: dark)");

/** @type {(name: string) => string | undefined} */
export const prefers = (name) => root.dataset[name];
export const still = () => (prefers("motion") ? prefers("motion") === "less" : dim.matches);
/** @type {Record<string, number>} */
const SPEEDS = { slow: 1.7, quick: 0.5 };
export const slowness = () => SPEEDS[prefers("speed") ?? ""] ?? 1; // how much longer things take

// How loud a table is, from 0 to 1. If you want no alert sound, you hear none here, until you choose a volume.
const USUAL = 6, LOUDEST = 10;
const loud = () => Number(prefers("volume") ?? (prefers("sound") === "off" ? 0 : USUAL));
export const volume = () => loud() / LOUDEST;

/** @type {(name: string, value: string) => void} */
function set(name, value) {
  if (value) root.dataset[name] = value;
  else delete root.dataset[name];
  keep();
  fill();
  colourWindow();
  document.dispatchEvent(new CustomEvent("parlour:preferred", { detail: name }));
}

// Stored for pages that are the same for everyone (theme.js).
function keep() {
  try {
    localStorage.setItem("parlour-mine", JSON.stringify(root.dataset));
  } catch {} // storage may be refused
}

function fill() {
  for (const choice of document.querySelectorAll("select[data-prefer]")) choice.value = prefers(choice.dataset.prefer ?? "") ?? choice.options[0].value;
  for (const slider of document.querySelectorAll("input[data-prefer]")) slider.value = String(loud());
  for (const button of document.querySelectorAll("[data-mute]")) button.setAttribute("aria-pressed", String(!loud()));
}

/** @type {(name: string, value: string, usual: string, near: Element) => Promise<void>} */
async function choose(name, value, usual, near) {
  set(name, value === usual ? "" : value);
  try {
    await post("/api/me/preferences", { name, value });
    say(near, "");
  } catch (problem) {
    say(near, `Changed here, but we couldn’t save it. ${explain(problem)}`);
  }
}

// The browser window's own parts, in the chosen theme.
function colourWindow() {
  const { backgroundColor } = getComputedStyle(document.body);
  for (const meta of document.querySelectorAll("[name=theme-color]")) meta.content = backgroundColor;
}

// A page that stayed open during an upgrade loads further modules with a preferences.js of their own, and each press must
// be handled once.
const { dataset } = document.body;
if (!dataset.preferences) {
  dataset.preferences = "on";
  document.addEventListener("change", ({ target }) => {
    const { prefer } = target.dataset;
    if (prefer) choose(prefer, target.value, /** @type {Partial<Field>} */ (target).options?.[0].value ?? "usual", target);
  });
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-theme-switch]");
    const mute = target.closest?.("[data-mute]");
    if (mute) choose("volume", loud() ? "0" : String(USUAL), "usual", mute);
    if (button) choose("theme", (prefers("theme") ?? (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark", "system", button);
  });
  fill();
  if (prefers("theme")) colourWindow();
}
