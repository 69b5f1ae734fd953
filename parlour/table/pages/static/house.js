// Keeping the house: each form sends itself, and then the page shows what is so now.
import { $, explain, post, say } from "./ui.js";

document.addEventListener("submit", async (event) => {
  const form = event.target, path = form.dataset.send;
  if (!path) return;
  event.preventDefault();
  const button = $("button", form);
  button.disabled = true;
  try {
    const { url } = await post(path, Object.fromEntries(new FormData(form)));
    location.assign(url || form.dataset.then || location.href);
    if (!url && !form.dataset.then) location.reload();
  } catch (problem) {
    say(button, explain(problem));
  }
  button.disabled = false;
});
