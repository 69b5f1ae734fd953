// The page You: notifications in this browser while no page is open, and the time zone of those who get any.
import { $, explain, post, say, the } from "./ui.js";

const form = $("form[data-push]");
const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
for (const field of document.querySelectorAll("input[data-zone]")) field.value = zone;
const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** @type {(text: string) => Uint8Array<ArrayBuffer>} */
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
/** @type {(key: ArrayBuffer | null) => string} */
const text = (key) => btoa(String.fromCharCode(...new Uint8Array(key ?? []))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** @type {(key: string) => Promise<object>} */
async function subscribe(key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("This browser blocks notifications from this site. You can allow them in its settings for this page.");
  await navigator.serviceWorker.register("/sw.js");
  const worker = await navigator.serviceWorker.ready;
  const ours = { userVisibleOnly: true, applicationServerKey: bytes(key) };
  let made;
  try {
    made = await worker.pushManager.subscribe(ours);
  } catch {
    await (await worker.pushManager.getSubscription())?.unsubscribe(); // it was made for another server at this address
    made = await worker.pushManager.subscribe(ours);
  }
  return { kind: "push", address: made.endpoint, p256dh: text(made.getKey("p256dh")), auth: text(made.getKey("auth")), zone };
}

if (form) {
  the("[data-able]", form).hidden = !able;
  the("[data-unable]", form).hidden = able;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = the("button", form);
    button.disabled = true;
    try {
      await post("/api/me/told", await subscribe(form.dataset.push ?? ""));
      location.reload();
    } catch (problem) {
      say(button, problem instanceof Error && problem.name === "Error" ? problem.message : problem instanceof DOMException ? "Notifications can’t be turned on right now: the browser’s push service doesn’t answer, or is turned off." : explain(problem));
    }
    button.disabled = false;
  });
}

// An email's unsubscribe link: the page sends its form when it loads, so that one click is enough.
addEventListener("load", () => $("[data-now] button")?.click());
