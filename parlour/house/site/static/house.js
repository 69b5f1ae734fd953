// The moderators' pages: each form sends itself, then the page reloads.
import { $, explain, post, say } from "./ui.js";

// Shows a link once, in the place of the form that made it.
function show(form, link) {
  const made = form.nextElementSibling;
  $("input", made).value = $("[data-copy]", made).dataset.copy = link;
  form.hidden = true;
  made.hidden = false;
  $("[data-copy]", made).focus();
}

document.addEventListener("submit", async (event) => {
  const form = event.target, path = form.dataset.send;
  if (!path) return;
  event.preventDefault();
  const button = $("button", form);
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
