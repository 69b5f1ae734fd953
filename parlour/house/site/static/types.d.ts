// The types of the pages' scripts, known in all of them: what selectors find, what events are about, and what the server
// sends. For scripts/check alone: browsers get no types.

// What a selector finds -------------------------------------------------------------------------
// By the tag of its last part: "#play-on form" finds a form. What names no tag may be any element of a page.
type Before<S extends string, Mark extends string> = S extends `${infer Head}${Mark}${string}` ? Head : S;
type Last<S extends string> = S extends `${string} ${infer Rest}` ? Last<Rest> : S;
type Tag<S extends string> = Before<Before<Before<Before<Last<S>, "[">, ".">, ":">, "#">;
type Found<S extends string> = S extends keyof Named ? Named[S]
  : S extends `${string},${string}` ? HTMLElement
  : Tag<S> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag<S>] : HTMLElement;

// Those whose kind their selector does not say.
interface Named {
  "[name=theme-color]": HTMLMetaElement;
  "#clause": HTMLDialogElement;
  "#delete-table": HTMLDialogElement;
  "#find": HTMLInputElement;
  "#here": HTMLDialogElement;
  "#keys": HTMLDialogElement;
  "#move": HTMLInputElement;
  "#name": HTMLDialogElement;
  "#only": HTMLInputElement;
  "#play-on": HTMLDialogElement;
  "#playtest": HTMLDialogElement;
  "#qr": HTMLDialogElement;
  "#say": HTMLInputElement;
  "#speed": HTMLSelectElement;
  "#step": HTMLInputElement;
  "#whom": HTMLDialogElement;
}

type Find = <S extends string>(selector: S, root?: ParentNode) => Found<S> | null;
type At = <S extends string>(selector: S) => Found<S> | null;
type The = <S extends string>(selector: S, root?: ParentNode) => Found<S>;

interface ParentNode {
  querySelector<S extends string>(selector: S): Found<S> | null;
  querySelectorAll<S extends string>(selector: S): NodeListOf<Found<S>>;
}
interface Element {
  readonly dataset: DOMStringMap; // all that is in a page has one
  closest<S extends string>(selector: S): Found<S> | null;
}

// What happens to an element: `target` is one, and for some events of one kind.
interface Aimed {
  change: HTMLInputElement;
  click: HTMLElement;
  focusin: HTMLElement;
  input: HTMLInputElement;
  keydown: HTMLElement;
  pointerdown: HTMLElement;
  submit: HTMLFormElement;
}
type On<K extends keyof Aimed> = HTMLElementEventMap[K] & { target: Aimed[K] };

interface Document {
  addEventListener<K extends keyof Aimed>(kind: K, act: (event: On<K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface Window {
  pressed?: HTMLElement; // before the page's script was there
  addEventListener<K extends keyof Aimed>(kind: K, act: (event: On<K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface HTMLElement {
  addEventListener<K extends keyof Aimed>(kind: K, act: (event: On<K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface HTMLDialogElement {
  addEventListener<K extends keyof Aimed>(kind: K, act: (event: On<K>) => unknown, options?: boolean | AddEventListenerOptions): void;
}
declare function addEventListener<K extends keyof Aimed>(kind: K, act: (event: On<K>) => unknown, options?: boolean | AddEventListenerOptions): void;

// A form's fields by their names; for one that only some of its forms have, say `| undefined`.
type Field = HTMLInputElement & HTMLSelectElement;
type Fields<Names extends string> = HTMLFormControlsCollection & Record<Names, Field>;

// What the server sends -------------------------------------------------------------------------
// A position of a table (web/updates.py); the page adds `tree`, the scene it is drawn as.
interface Frame {
  version: number;
  html: string;
  log: string;
  moment: string;
  sounds?: string;
  great?: boolean;
  changes: boolean;
}
interface Position extends Frame {
  tree: Element;
}
// In a replay: with the whole log up to there, and its own lines of it if they are known.
interface Shown extends Frame {
  own: string | null;
}
type Marks = [scene: string, table: string];
interface Update {
  version: number;
  frames: Frame[];
  table: string;
  title: string;
  fresh: boolean;
  eyes: number;
  marks: Marks;
  base: Marks;
}
// What a page has received, untouched, and the marks of both.
interface Base {
  scene: Element;
  table: Element;
  marks: Marks;
}
// What can be made of the parts that were chosen (core/html.py); by their number, and "" for the rest.
interface Picking {
  label: string;
  moves: Record<string, string>;
  hints: Record<string, string>;
  whys: Record<string, [text: string, clause: string]>;
}
interface Lists {
  html: string;
  go: string;
}
interface Turn {
  id: string;
  title: string;
  names: string[];
}
interface Notice {
  id: number;
  text: string;
}
interface Hint {
  choices: { move: string; words: string; parts: string[]; chance: number | null; equal: boolean; within: number; because: string; then: string[] }[];
  holds: string;
}
interface Turning {
  version: number;
  words: string;
}
interface Report {
  status: "none" | "waiting" | "working" | "done";
  done: number;
  total: number;
  ahead: number;
  html: string;
  turning: Turning | null;
  left: number; // seconds, 0 while unknown
}
interface Progress {
  status: "none" | "waiting" | "working" | "done";
  done: number;
  total: number;
  ahead: number;
}
interface Refused {
  code: string;
  message: string;
  clause?: string;
}
// What is answered to a POST, by its address.
interface Done {
  url?: string;
  record?: string;
  link?: string;
  qr?: string;
  secret?: string;
}
// What an answer to a puzzle was worth: the position to look at only, the verdict, and the keys of pieces to ring.
interface Solved {
  html: string;
  verdict: string;
  made: string[];
  instead: string[];
}
type Posted<P extends string> = P extends `${string}/hint` ? Hint
  : P extends `${string}/analysis` ? Report
  : P extends `/api/playtests/${string}/${"bots" | "expert"}` ? Progress
  : P extends `${string}/moves` | `${string}/undo` ? { version: number }
  : P extends "/api/tables" | "/api/lessons" | "/api/today" | "/api/playtests/join" | `${string}/play-on` ? { url: string }
  : P extends "/api/puzzles" ? Solved
  : P extends "/api/playtests" ? { id: string }
  : P extends "/api/me" ? { name: string }
  : P extends "/api/me/link/look" ? { name: string; kind: string }
  : P extends "/api/me/passkeys/new" ? PublicKeyCredentialCreationOptionsJSON
  : P extends "/api/me/passkeys/ask" ? PublicKeyCredentialRequestOptionsJSON
  : Done;

// A page's stream (stream.js): its address, with what each stream has in it; where a page says that it is there; whether
// it follows at all; what to do with each kind of message, the first of which brings it up to date; and when it was lost
// or found again.
interface Following {
  open: (query: string) => string;
  here: string;
  wanted?: () => boolean;
  on: Record<string, (data: string) => unknown>;
  lost: (problem: Partial<import("./ui.js").Refusal> | null, tries: number) => void;
  found: () => void;
}

// What modules hand each other ------------------------------------------------------------------
// A piece that was pressed: what it was then, and whether anything was open there.
interface Aim {
  key: string;
  action: string | undefined;
  part: string | undefined;
  open: boolean;
}
// Where pieces were, and the numbers on them, before a change.
interface Seen {
  places: Map<string, DOMRect>;
  counts: Map<string, number>;
  stacks: Map<string, number>;
}
// What is read of a piece: its words, and the same of those on it.
type Entry = [said: string, inside: Entry[]];
// A piece that can be pressed: its middle, its size along its own axes, whether it stands on its corner.
interface Target {
  node: HTMLElement;
  x: number;
  y: number;
  wide: number;
  high: number;
  turned: boolean;
  does: string;
  small: boolean;
}
// An edge of something, and what the first steps keep clear of: never cover, rather not, and the board's cloth.
type Box = Pick<DOMRect, "left" | "right" | "top" | "bottom">;
interface Obstacles {
  hard: DOMRect[];
  soft: DOMRect[];
  cloth: DOMRect[];
}
// How a move is made: by a piece or button, for some with the parts to choose first.
type Way = [node: HTMLElement, tokens?: string];
type Timer = ReturnType<typeof setTimeout> | undefined;
type Place = [x: number, y: number];
type Tempo = string | null | { bank: number; increment: number; delay: number; off?: number[]; zone?: string };
