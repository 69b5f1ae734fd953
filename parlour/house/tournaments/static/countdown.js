// Moments of tournaments on a page: how long until then, and when that is in the reader's time zone.
import { when } from "./when.js";

/** @type {(seconds: number) => string} */
export function left(seconds) {
  const [days, hours, minutes] = [seconds / 86400, (seconds / 3600) % 24, (seconds / 60) % 60].map(Math.floor);
  if (days) return `${days} ${days === 1 ? "day" : "days"} ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return seconds >= 600 ? `${minutes} min` : `${minutes ? `${minutes} min ` : ""}${Math.floor(seconds % 60)} s`;
}

export function show() {
  for (const one of document.querySelectorAll("[data-until]")) {
    const seconds = Number(one.dataset.until) - Date.now() / 1000;
    const words = seconds > 0 ? `${one.dataset.before ?? ""}${left(seconds)}` : one.dataset.passed ?? "";
    if (one.textContent !== words) one.textContent = words;
  }
  when();
}

show();
setInterval(show, 1000);
