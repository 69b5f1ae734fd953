// The instruments of all tables, synthesized. Which of them one hears, the server says with each position.
import { context, wake } from "./sound.js";
export { wake };

// Notes: [frequency, after s, fades in s, loudness, waveform, attack s]; what rustles or rattles is noise through a band:
// [its middle, after, fades, loudness, "noise", where its middle goes].
/** @typedef {[frequency: number, after: number, fades: number, loudness: number, kind: OscillatorType | "noise", more?: number]} Note */
/** @type {(...at: number[]) => Note[]} */
const clicks = (...at) => at.map((after, i) => [1500 + 420 * ((i * 3) % 5), after, 0.035, 0.9 - 0.1 * i, "noise"]);
/** @type {Record<string, Note[]>} */
export const BAND = {
  dice: [...clicks(0, 0.07, 0.12, 0.2, 0.25, 0.36), [210, 0.02, 0.06, 0.35, "triangle"], [180, 0.36, 0.07, 0.4, "triangle"]],
  card: [[5200, 0, 0.1, 0.5, "noise", 1400], [900, 0.09, 0.03, 0.5, "noise"]],
  chip: [[2350, 0, 0.05, 0.3, "triangle"], [3520, 0, 0.04, 0.16, "sine"], [2640, 0.07, 0.07, 0.3, "triangle"], [3950, 0.07, 0.05, 0.16, "sine"]],
  gem: [[1568, 0, 0.5, 0.24, "sine"], [2349, 0.05, 0.5, 0.18, "sine"], [3136, 0.11, 0.6, 0.14, "sine"]],
  crash: [[1800, 0, 0.9, 1, "noise", 90], [98, 0, 0.8, 0.6, "triangle"], [65.4, 0.06, 0.9, 0.6, "triangle"]],
  till: [[2600, 0, 0.04, 0.6, "noise"], [1318.5, 0.03, 0.25, 0.22, "triangle"], [2637, 0.11, 0.6, 0.2, "sine"], [3951, 0.11, 0.4, 0.1, "sine"]],
  brass: [[233.1, 0, 0.55, 0.22, "sawtooth", 0.05], [349.2, 0.02, 0.55, 0.18, "sawtooth", 0.05], [466.2, 0.04, 0.6, 0.16, "sawtooth", 0.05]],
  wood: [[330, 0, 0.06, 0.5, "triangle"], [1300, 0, 0.02, 0.4, "noise"]],
  bell: [[988, 0, 0.7, 0.3, "sine"], [1976, 0, 0.4, 0.12, "sine"], [2964, 0, 0.2, 0.06, "sine"]],
  win: [[523.3, 0, 0.5, 0.24, "triangle"], [659.3, 0.12, 0.5, 0.24, "triangle"], [784, 0.24, 0.5, 0.24, "triangle"], [1046.5, 0.38, 0.9, 0.28, "triangle"]],
  loss: [[392, 0, 0.5, 0.22, "triangle", 0.03], [349.2, 0.2, 0.5, 0.2, "triangle", 0.03], [293.7, 0.42, 0.8, 0.2, "triangle", 0.03]],
  draw: [[440, 0, 0.4, 0.22, "triangle", 0.02], [554.4, 0.18, 0.6, 0.22, "triangle", 0.02]],
};
const LOUD = 0.5; // of everything, at full volume
const APART = 0.16, OFTEN = 60; // seconds between the sounds of one step; milliseconds between two steps that are heard

/** @type {AudioBuffer | undefined} */
let hiss;
/** @type {(on: BaseAudioContext) => AudioBuffer} */
function noise(on) {
  if (hiss?.sampleRate === on.sampleRate) return hiss;
  hiss = new AudioBuffer({ length: on.sampleRate, sampleRate: on.sampleRate });
  const data = hiss.getChannelData(0);
  for (let i = 0, x = 1; i < data.length; i++) data[i] = ((x = (x * 48271) % 2147483647) / 1073741823.5) - 1;
  return hiss;
}

if (context) noise(context); // now, and not with the first sound, when a position is shown

// Plays one sound, "brass-5", on any context, at a time of its own.
/** @type {(on: BaseAudioContext, out: AudioNode, name: string, at: number) => void} */
export function strike(on, out, name, at) {
  const [, which, tuned = "0"] = /^(\w+?)([+-]\d+)?$/.exec(name) ?? [], higher = 2 ** (Number(tuned) / 12);
  for (const [frequency, after, fades, loudness, kind, more = 0] of BAND[which ?? ""] ?? []) {
    const begins = at + after, ends = begins + fades, attack = kind === "noise" ? 0.004 : more || 0.006;
    const gain = new GainNode(on, { gain: 0 });
    gain.gain.setValueAtTime(0, begins);
    gain.gain.linearRampToValueAtTime(loudness, begins + attack);
    gain.gain.exponentialRampToValueAtTime(0.0001, Math.max(ends, begins + attack + 0.02));
    gain.connect(out);
    const band = new BiquadFilterNode(on, kind === "noise" ? { type: "bandpass", frequency: frequency * higher, Q: more ? 0.6 : 2.5 }
      : { type: "lowpass", frequency: kind === "sawtooth" ? 1400 * higher : 9000 });
    if (kind === "noise" && more) band.frequency.exponentialRampToValueAtTime(more * higher, ends);
    const voice = kind === "noise" ? new AudioBufferSourceNode(on, { buffer: noise(on), loop: true })
      : new OscillatorNode(on, { type: kind, frequency: frequency * higher });
    voice.connect(band).connect(gain);
    voice.start(begins);
    voice.stop(ends + 0.05);
  }
}

let last = 0;
/** @type {GainNode | undefined} */
let master;
// Plays the sounds of a step, unless another was heard just now. `volume` is from 0 to 1.
/** @type {(names: string, volume: number) => void} */
export function play(names, volume) {
  const now = performance.now();
  if (now - last < OFTEN || context?.state !== "running") return;
  last = now;
  document.dispatchEvent(new CustomEvent("parlour:heard", { detail: names }));
  if (!master) {
    master = new GainNode(context);
    master.connect(new DynamicsCompressorNode(context, { threshold: -18 })).connect(context.destination);
  }
  master.gain.value = LOUD * volume ** 2; // as the ear counts
  names.split(" ").forEach((name, i) => strike(context, /** @type {GainNode} */ (master), name, context.currentTime + 0.02 + APART * i));
}
