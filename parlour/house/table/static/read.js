// The table in words, read from the pieces on the board: last move, position, my moves, players; and typed moves. Loaded
// when asked for (tabs.js).
import { patch } from "./patch.js";
import { SILENT, listed, named, tell, words } from "./told.js";
import { $, say, the, visible } from "./ui.js";

/** @type {Record<string, string>} */
const ASKED = { L: "last", P: "position", M: "moves", O: "players" };
/** @type {Record<string, string>} */
const TITLES = { last: "Last move", position: "The position", moves: "My moves", players: "The players" };

// A piece as [its words, the pieces on it]; a mere container has no words of its own.
/** @type {(node: Element) => Entry} */
function piece(node) {
  /** @type {string[]} */
  const own = [];
  /** @type {Entry[]} */
  const inside = [];
  const label = node.getAttribute("aria-label");
  /** @type {(from: Element) => void} */
  const gather = (from) => {
    for (const child of from.childNodes) {
      if (child instanceof Text) own.push(child.data);
      if (!(child instanceof Element) || child.matches(SILENT)) continue;
      if (child.dataset.key && !child.matches("[data-count], ul")) inside.push(...spliced(piece(child)));
      else {
        own.push(" ", child.getAttribute("aria-label") ?? "");
        gather(child);
        own.push(" ");
      }
    }
  };
  gather(node);
  const said = own.join("").replace(/\s+/g, " ").trim().replace(/^(\d+) (?=\1 )/, ""); // a number and then its words
  const known = label && (node.matches("button, [role=button], [role=img]") || label.includes(said)) ? label : [label, said].filter(Boolean).join(": ");
  return [known, inside.filter(([one, more]) => more.length || !known.includes(one))];
}
/** @type {(entry: Entry) => Entry[]} */
const spliced = ([said, inside]) => (said ? [[said, inside]] : inside);

// Equal neighbours are one entry with their number.
/** @type {(entries: Entry[]) => Entry[]} */
function counted(entries) {
  /** @type {[said: string, inside: Entry[], times: number][]} */
  const found = [];
  for (const [said, inside] of entries) {
    const last = found.at(-1);
    if (last && last[0] === said && !inside.length && !last[1].length) last[2]++;
    else found.push([said, inside, 1]);
  }
  return found.map(([said, inside, n]) => [n > 1 ? `${said} ×${n}` : said, inside]);
}

const choices = () => [...document.querySelectorAll(".scene :is([data-action], [data-part])")].filter(visible);

/** @type {Record<string, () => Entry[]>} */
const parts = {
  last() {
    const lines = [...document.querySelectorAll("[data-key=log] > li")];
    const from = lines.findLastIndex((line) => line.matches(".move"));
    return lines.slice(Math.max(0, from)).map((line) => [words($("span", line)), []]);
  },
  position: () => piece(the(".scene .board"))[1],
  moves() {
    /** @type {Entry[]} */
    const found = choices().map((node) => [`${named(node)}${node.ariaPressed === "true" ? ", chosen" : ""}, ${node.dataset.shortcut ? `key ${node.dataset.shortcut}` : "no key"}`, []]);
    return [[words($(".scene .prompt")), []], ...found];
  },
  players: () => [...document.querySelectorAll(".scene .seat")].map((seat) => [
    `${listed(seat.children).replace(/^(.*?) you,/, "$1 (you),")}${seat.matches(".active") ? ", to move" : ""}`, [],
  ]),
};

/** @type {(entries: Entry[]) => HTMLElement} */
function list(entries) {
  const made = document.createElement("ul");
  for (const [said, inside] of counted(entries)) {
    const row = document.createElement("li");
    row.append(said);
    if (inside.length) row.append(list(inside));
    made.append(row);
  }
  return made;
}

// Rewrites the panel if it is open.
export function write() {
  if (the("#main").dataset.tab !== "words" || !$(".scene .board")) return;
  const fresh = document.createElement("div");
  fresh.className = "read";
  for (const [name, title] of Object.entries(TITLES)) {
    const head = document.createElement("h2");
    head.textContent = title;
    fresh.append(head, list(parts[name]()));
  }
  patch(the(".read"), fresh);
}

// Reads out one part, for its key.
/** @type {(key: string) => void} */
export function answer(key) {
  if (!$(".scene .board")) return;
  const name = ASKED[key.toUpperCase()];
  /** @type {(entry: Entry) => string} */
  const one = ([said, inside]) => (inside.length ? `${said}: ${spoken(inside)}` : said.replace(/\.$/, ""));
  /** @type {(entries: Entry[]) => string} */
  const spoken = (entries) => counted(entries).map(one).join("; ");
  tell(`${TITLES[name]}: ${spoken(parts[name]()) || "nothing"}.`);
}

// Typed moves ---------------------------------------------------------------------------------------
/** @type {(text: string) => string} */
const plain = (text) => text.trim().toLowerCase().replace(/[\s,]+/g, " ");
/** @type {(text: string) => string} */
const sorted = (text) => plain(text).split(" ").sort().join(" ");

/** @type {() => Map<string, Way>} */
function legal() {
  /** @type {Map<string, Way>} */
  const moves = new Map();
  for (const node of choices()) if (node.dataset.action) moves.set(node.dataset.action, [node]);
  const button = $(".scene [data-pick]");
  /** @type {Partial<Picking>} */
  const { moves: picks = {} } = JSON.parse(button?.dataset.pick ?? "{}");
  if (button) for (const [tokens, move] of Object.entries(picks)) moves.set(move, [button, tokens]);
  return moves;
}

// Makes the move as if it had been pressed.
/** @type {(way: Way) => void} */
function make([node, tokens]) {
  if (tokens) {
    for (const one of document.querySelectorAll('.scene [aria-pressed="true"]')) one.click();
    for (const token of tokens.split(",")) $(`.scene [data-part="${CSS.escape(token)}"][aria-pressed="false"]`)?.click();
  }
  node.click();
}

/** @type {(typed: string, names: string[]) => string} */
function sentence(typed, names) {
  const some = names.slice(0, 8).map((move) => `“${move}”`).join(", ");
  if (!names.length) return `You have nothing to decide now. ${words($(".scene .prompt"))}`;
  const which = `${some}${names.length > 8 ? ` and ${names.length - 8} more` : ""}`;
  return typed ? `You can’t play “${typed}” now. You can play: ${which}.` : `You can play: ${which}.`;
}

/** @type {(field: HTMLInputElement) => void} */
export function type(field) {
  const typed = plain(field.value), moves = legal();
  const names = [...moves.keys()];
  const exact = names.find((move) => plain(move) === typed) ?? names.find((move) => sorted(move) === sorted(typed));
  const begun = typed ? names.filter((move) => plain(move).startsWith(typed)) : [];
  if (exact) {
    make(/** @type {Way} */ (moves.get(exact)));
    field.value = "";
    return say(field, "");
  }
  if (begun.length === 1) {
    field.value = begun[0];
    return say(field, `Press Enter again to play “${begun[0]}”.`);
  }
  say(field, sentence(field.value.trim(), begun.length ? begun : names));
}
