// Calls back whoever does not look at the page: by the window's icon, a badge on the app, and a short sound made here.
// The house says in the title whether it is their turn; a secret question is in no title, so nobody beside them hears it.
import { prefers } from "./preferences.js";
import { $ } from "./ui.js";

const RESTS = 8000; // milliseconds without a touch or a key, after which somebody may be looking elsewhere
const PUT_AWAY = 30000; // milliseconds
const MINE = "Your turn: ";
// Each a few partials, struck one after another: [frequency, begins after s, fades in s, loudness, waveform]
const SOUNDS = {
  bell: [[659.3, 0, 1.1, 0.5, "sine"], [987.8, 0.14, 1.3, 0.45, "sine"], [1975.5, 0.14, 0.5, 0.08, "sine"]],
  wood: [[220, 0, 0.09, 0.9, "triangle"], [440, 0, 0.05, 0.4, "sine"], [262, 0.13, 0.1, 0.9, "triangle"]],
  harp: [[392, 0, 0.5, 0.4, "triangle"], [493.9, 0.09, 0.5, 0.4, "triangle"], [587.3, 0.18, 0.8, 0.4, "triangle"]],
};
const TALK = [[880, 0, 0.12, 0.3, "sine"]];

let context = null, touched = Date.now(), mine = document.title.startsWith(MINE);
const icon = $("link[rel=icon]"), calm = icon.href;
const chosen = () => prefers("sound") ?? "bell";
const looks = () => !document.hidden && document.hasFocus() && Date.now() - touched < RESTS;

// Phones let a page sound only after a touch, and some stop it when the page was away: each touch wakes it again.
function unlock() {
  touched = Date.now();
  if (chosen() === "off" || !window.AudioContext) return;
  context ??= new AudioContext();
  if (context.state !== "running") context.resume().catch(() => {});
}

function sound(notes) {
  if (chosen() === "off" || context?.state !== "running" || !notes) return;
  const now = context.currentTime + 0.02;
  for (const [frequency, after, fades, loudness, type] of notes) {
    const voice = new OscillatorNode(context, { type, frequency }), volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, now + after);
    volume.gain.linearRampToValueAtTime(0.25 * loudness, now + after + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + after + fades);
    voice.connect(volume).connect(context.destination);
    voice.start(now + after);
    voice.stop(now + after + fades + 0.05);
  }
}

// The icon and the badge, while it is their turn and they do not look.
function mark() {
  const waits = mine && (document.hidden || !document.hasFocus());
  const wanted = waits ? calm.replace("icon.svg", "icon-turn.svg") : calm;
  if (icon.href === wanted) return;
  icon.href = wanted;
  (waits ? navigator.setAppBadge?.(1) : navigator.clearAppBadge?.())?.catch(() => {});
}

// After each change of the page: what the title says now, and how many lines of chat have come; whether any has.
export function call(lines) {
  const before = mine;
  mine = document.title.startsWith(MINE);
  if (!looks()) sound(mine && !before ? SOUNDS[chosen()] : lines > 0 ? TALK : null);
  mark();
  return lines > 0;
}

// A phone whose page was put away shows no title and plays nothing: after a while the stream is let go, so that the house
// knows that nobody looks and tells them in another way. The page takes it up again when it is seen.
export function away(letGo) {
  let timer = 0;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden && matchMedia("(pointer: coarse)").matches) timer = setTimeout(letGo, PUT_AWAY);
  });
}

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, unlock, { capture: true, passive: true });
document.addEventListener("visibilitychange", mark);
for (const kind of ["focus", "blur"]) addEventListener(kind, mark);

// Whoever chooses a sound hears it.
$("[data-prefer=sound]")?.addEventListener("change", () => {
  unlock();
  setTimeout(() => sound(SOUNDS[chosen()]), 60);
});
