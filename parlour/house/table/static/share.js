// Sharing a link: by the system's share sheet, else by copying; and as a QR code. Loaded with the first press.
import { Refusal, explain, say, the } from "./ui.js";

/** @type {(button: HTMLElement, url: string) => Promise<void>} */
async function send(button, url) {
  try {
    if (navigator.share) return await navigator.share({ title: button.dataset.share, url });
  } catch (problem) {
    if (/** @type {Error} */ (problem).name === "AbortError") return; // they cancelled
  }
  await (await import("./copy.js")).copied(button, url);
}

/** @type {(button: HTMLElement, url: string) => Promise<void>} */
async function showCode(button, url) {
  const { pathname, search } = new URL(url);
  try {
    const answer = await fetch(`${pathname}/qr${search}`);
    if (!answer.ok) throw new Refusal(answer, (await answer.json()).error);
    const code = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    the("#qr .qr").replaceChildren(code);
    the("#qr .address").textContent = url;
    the("#qr").showModal();
  } catch (problem) {
    say(button, explain(problem));
  }
}

/** @type {(button: HTMLElement) => void} */
export function share(button) {
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (the("input, textarea", button.parentElement ?? document));
  const url = field.value;
  "qr" in button.dataset ? showCode(button, url) : send(button, url);
}
