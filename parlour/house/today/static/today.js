// The pages of today's games: begins one, says how much of the day is left, and shares a result.
import { copied } from "./copy.js";
import { $, complain, post } from "./ui.js";

// How much of the day is left, in the reader's words: "7 h 20 min left".
function left() {
  for (const one of document.querySelectorAll("[data-ends]")) {
    const minutes = Math.max(0, Math.floor((Number(one.dataset.ends) * 1000 - Date.now()) / 60000));
    one.textContent = minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min left` : `${minutes} min left`;
  }
}

// A file as an address that holds all of it.
/** @type {(address: string) => Promise<string>} */
async function held(address) {
  const reader = new FileReader(), blob = await (await fetch(address)).blob();
  await new Promise((done) => {
    reader.addEventListener("loadend", done);
    reader.readAsDataURL(blob);
  });
  return String(reader.result);
}

// The picture as a PNG. What it shows of other files is put into it: a picture loads nothing.
/** @type {() => Promise<File | null>} */
async function picture() {
  const drawn = document.getElementById("day-picture");
  if (!drawn) return null;
  const copy = /** @type {Element} */ (drawn.cloneNode(true)), image = new Image(1200, 630);
  copy.setAttribute("width", "1200");
  copy.setAttribute("height", "630");
  for (const one of copy.querySelectorAll("image")) one.setAttribute("href", await held(one.getAttribute("href") ?? ""));
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 1200;
  canvas.height = 630;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  return blob && new File([blob], "parlour.png", { type: "image/png" });
}

// Shares text and picture where the system can; else only the text; else copies it.
/** @type {(button: HTMLElement) => Promise<unknown>} */
async function share(button) {
  const text = `${button.dataset.text}\n${location.href}`;
  const file = await picture().catch(() => null), files = file ? [file] : [];
  try {
    if (file && navigator.canShare?.({ text, files })) return await navigator.share({ text, files });
    if (navigator.share) return await navigator.share({ text });
  } catch (problem) {
    if (/** @type {Error} */ (problem).name === "AbortError") return; // they cancelled
  }
  return copied(button, text);
}

document.addEventListener("click", async (event) => {
  const play = event.target.closest?.("[data-play]"), shares = event.target.closest?.("[data-share-day]");
  if (shares) share(shares);
  if (!play) return;
  play.classList.add("sent");
  try {
    location.assign((await post("/api/today", JSON.parse(play.dataset.play ?? "{}"))).url);
  } catch (problem) {
    play.classList.remove("sent");
    complain(play, problem);
  }
});
if ($("[data-ends]")) {
  left();
  setInterval(left, 30000);
}
