// The moderators' pages: each form sends itself, then the page reloads.
import { explain, post, say, the } from "./ui.js";

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
      location.assign(url || form.dataset.then || location.href);
      if (!url && !form.dataset.then) location.reload();
    }
  } catch (problem) {
    say(button, explain(problem));
  }
  button.disabled = false;
});
