// What happened, for screen readers: the page's one live region says each new line of the log once and in order, then the
// prompt. Lines in quick succession are said together.
import { $, the } from "./ui.js";

const region = the("#announcements");
const LULL = 250, LONGEST = 1000; // milliseconds: quiet that ends what is said together; more is not waited for
const KEPT = 12; // paragraphs to read back
/** @type {Record<string, number>} */
const next = {}; // for each pair of eyes that looks at this page, the number of the first line that they have not heard
/** @type {Record<string, number>} */
let said = {}; // the same, as it was when all had been said
/** @type {string[]} */
let waiting = [];
let since = 0, timer = 0;
let happened = false; // more is to be said than an answer to a key
let behind = false; // a further position follows at once: its prompt is the one to say
let apart = false; // several people use this page and each hears alone
let asked = ""; // the prompt that was said last
/** @type {Set<string | undefined>} */
const chatted = new Set();

/** @type {(node: Element | null) => string} */
export function words(node) {
  const copy = /** @type {Element | undefined} */ (node?.cloneNode(true));
  for (const link of copy?.querySelectorAll("a.clause, a.book, kbd, time") ?? []) link.remove();
  return copy?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

// What screen readers say of it, without what is only for the eye.
export const SILENT = "svg, kbd, [aria-hidden=true], a.clause, a.book";
/** @type {(nodes: Iterable<Element>) => string} */
export const listed = (nodes) => [...nodes].filter((one) => !one.matches(SILENT)).map(words).filter(Boolean).join(", ");
/** @type {(node: Element) => string} */
export const named = (node) => node.getAttribute("aria-label") ?? listed(node.children);

const prompt = () => words($(".scene .prompt"));

/** @type {(eyes: string) => string[]} */
function fresh(eyes) {
  /** @type {(line: HTMLElement) => number} */
  const number = (line) => Number(line.dataset.key?.slice(4));
  const from = apart ? next[eyes] ?? opened : Math.max(opened, ...Object.values(next));
  const lines = [...document.querySelectorAll("[data-key=log] > li")].filter((line) => number(line) >= from);
  next[eyes] = Math.max(from, ...lines.map((line) => number(line) + 1));
  const chat = [...document.querySelectorAll("#panel-chat li[data-key]")].filter((line) => !chatted.has(line.dataset.key));
  for (const line of chat) chatted.add(line.dataset.key);
  return [...lines.map((line) => words($("span", line))), ...chat.map(words)];
}

// Take in what the page shows to these eyes now; `more`: whether other positions are to be shown after it.
/** @type {(eyes: string, more: boolean) => void} */
export function hear(eyes, more) {
  behind = more;
  waiting.push(...fresh(eyes));
  happened ||= waiting.length > 0 || prompt() !== asked;
  if (happened) soon();
}

// Silent while the device is passed: the player who lifts the curtain hears what their seat saw.
export function hush() {
  apart = true;
  waiting = [];
  Object.assign(next, said); // what was not said yet is said when these eyes come back
}

// Says anything else.
/** @type {(sentence: string) => void} */
export function tell(sentence) {
  waiting.push(sentence.replace(/\s+/g, " ").trim());
  soon();
}

function soon() {
  const now = performance.now();
  if (!timer) since = now;
  clearTimeout(timer);
  timer = setTimeout(speak, Math.max(0, Math.min(LULL, since + LONGEST - now)));
}

function speak() {
  timer = 0;
  said = { ...next };
  const parts = waiting.splice(0).filter(Boolean).map(paragraph), last = prompt();
  if (!behind && happened) {
    asked = last;
    happened = false;
    if (last && !parts.some((part) => part.textContent === last)) parts.push(paragraph(last));
  }
  region.append(...parts); // at once: a reader takes it as one thing
  while (region.children.length > KEPT + parts.length) region.firstChild?.remove();
}

/** @type {(sentence: string) => HTMLElement} */
function paragraph(sentence) {
  const made = document.createElement("p");
  made.textContent = sentence;
  return made;
}

let opened = 0;
fresh(""); // what was there at the start is read like any page
opened = next[""];
said = { ...next };
asked = prompt();
