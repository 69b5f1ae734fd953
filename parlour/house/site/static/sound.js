// Synthesizes the sounds. Loaded with the first touch, before which browsers allow no sound.
import { prefers } from "./preferences.js";

// Each a few partials, struck one after another: [frequency, begins after s, fades in s, loudness, waveform]
/** @type {Record<string, [frequency: number, after: number, fades: number, loudness: number, type: OscillatorType][]>} */
const SOUNDS = {
  bell: [[659.3, 0, 1.1, 0.5, "sine"], [987.8, 0.14, 1.3, 0.45, "sine"], [1975.5, 0.14, 0.5, 0.08, "sine"]],
  wood: [[220, 0, 0.09, 0.9, "triangle"], [440, 0, 0.05, 0.4, "sine"], [262, 0.13, 0.1, 0.9, "triangle"]],
  harp: [[392, 0, 0.5, 0.4, "triangle"], [493.9, 0.09, 0.5, 0.4, "triangle"], [587.3, 0.18, 0.8, 0.4, "triangle"]],
  chat: [[880, 0, 0.12, 0.3, "sine"]],
  time: [[740, 0, 0.07, 0.6, "triangle"], [740, 0.16, 0.07, 0.6, "triangle"]],
};
export const context = window.AudioContext && new AudioContext();

// Phones let a page sound only after a touch, and some stop it when the page was away: each touch wakes it again.
export function wake() {
  if (context && context.state !== "running") context.resume().catch(() => {});
}

export function sound(name = prefers("sound") ?? "bell") {
  if (context?.state !== "running") return;
  const now = context.currentTime + 0.02;
  for (const [frequency, after, fades, loudness, type] of SOUNDS[name]) {
    const voice = new OscillatorNode(context, { type, frequency }), volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, now + after);
    volume.gain.linearRampToValueAtTime(0.25 * loudness, now + after + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + after + fades);
    voice.connect(volume).connect(context.destination);
    voice.start(now + after);
    voice.stop(now + after + fades + 0.05);
  }
}
