// Copying to the clipboard, loaded when it is used.
import { wait } from "./ui.js";

// Copies a text, and says so on the button.
export async function copied(button, told) {
  const words = button.querySelector("span") ?? button;
  button.dataset.was ??= words.textContent;
  try {
    await navigator.clipboard.writeText(told);
    words.textContent = "Copied";
  } catch {
    const field = button.parentElement.querySelector("input");
    field?.select();
    words.textContent = field && document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
  }
  await wait(1600);
  words.textContent = button.dataset.was;
}
