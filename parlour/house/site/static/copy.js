// Copying to the clipboard, loaded when it is used.
import { wait } from "./ui.js";

// Copies a text, and says so on the button.
/** @type {(button: HTMLElement, text: string) => Promise<void>} */
export async function copied(button, text) {
  const words = button.querySelector("span") ?? button;
  const was = (button.dataset.was ??= words.textContent);
  try {
    await navigator.clipboard.writeText(text);
    words.textContent = "Copied";
  } catch {
    const field = button.parentElement?.querySelector("input");
    field?.select();
    words.textContent = field && document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
  }
  await wait(1600);
  words.textContent = was;
}
