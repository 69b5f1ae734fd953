// Moments in the reader's time zone: today's as the hour, others with their day; the rest is in the title.
/** @type {(options?: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat} */
const form = (options) => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", ...options });
const hour = form(), day = form({ day: "numeric", month: "short" }), whole = form({ dateStyle: "full", timeStyle: "long", hour: undefined, minute: undefined });
/** @type {string | undefined} */
let today;

export function when() {
  const before = today;
  today = new Date().toDateString();
  for (const one of document.querySelectorAll(before === today ? "time:not([title])" : "time")) {
    const at = new Date(one.dateTime);
    one.title = whole.format(at);
    one.textContent = (at.toDateString() === today ? hour : day).format(at);
  }
}
