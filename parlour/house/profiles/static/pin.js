// In a replay: pins the step that is shown.
import { explain, post, say, the } from "./ui.js";

const button = /** @type {HTMLButtonElement} */ (the("[data-pin]")), words = the("span", button);
const slider = /** @type {HTMLInputElement} */ (the("#step"));
button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    await post("/api/me/moments/pin", { table: button.dataset.pin, step: Number(slider.value) });
    words.textContent = "Pinned";
    setTimeout(() => (words.textContent = "Pin this moment"), 2000);
  } catch (problem) {
    say(button, explain(problem));
  }
  button.disabled = false;
});
