// Sharing a link: by the system's share sheet, else by copying; and as a QR code. Loaded with the first press.
import { $, Refusal, explain, say } from "./ui.js";

async function send(button, url) {
  try {
    if (navigator.share) return await navigator.share({ title: button.dataset.share, url });
  } catch (problem) {
    if (problem.name === "AbortError") return; // they cancelled
  }
  await (await import("./copy.js")).copied(button, url);
}

async function showCode(button, url) {
  try {
    const answer = await fetch(`${new URL(url).pathname}/qr`);
    if (!answer.ok) throw new Refusal(answer, (await answer.json()).error);
    const code = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    $("#qr .qr").replaceChildren(code);
    $("#qr .address").textContent = url;
    $("#qr").showModal();
  } catch (problem) {
    say(button, explain(problem));
  }
}

export function share(button) {
  const url = $("input", button.parentElement).value;
  "qr" in button.dataset ? showCode(button, url) : send(button, url);
}
