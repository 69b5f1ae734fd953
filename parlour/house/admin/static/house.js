// The moderators' pages: each form sends itself, then the page reloads.
import { explain, post, say, the } from "./ui.js";

// On a phone the links are one line that scrolls: to the page that is open, and again when the phone is turned.
const here = document.querySelector(".rooms > [aria-current]"), line = here?.parentElement;
if (here && line)
  new ResizeObserver(() => {
    line.scrollLeft += here.getBoundingClientRect().left - line.getBoundingClientRect().left - (line.clientWidth - here.clientWidth) / 2;
  }).observe(line);

// Shows a link once, in the place of the form that made it.
/** @type {(form: HTMLFormElement, link: string) => void} */
function show(form, link) {
  const made = /** @type {HTMLElement} */ (form.nextElementSibling), copy = the("[data-copy]", made);
  the("input", made).value = copy.dataset.copy = link;
  form.hidden = true;
  made.hidden = false;
  copy.focus();
}

document.addEventListener("submit", async (event) => {
  const form = event.target, path = form.dataset.send;
  if (!path) return;
  event.preventDefault();
  const button = the("button", form);
  button.disabled = true;
  try {
    const { url, link } = await post(path, Object.fromEntries(new FormData(form)));
    if (link) show(form, link);
    else {
      const next = new URL(url || form.dataset.then || location.href, location.href);
      if (next.pathname + next.search === location.pathname + location.search) {
        history.replaceState(null, "", next); // the part after # alone loads nothing
        location.reload();
      } else location.assign(next);
    }
  } catch (problem) {
    say(button, explain(problem));
  }
  button.disabled = false;
});
