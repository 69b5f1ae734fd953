// The result of a game: what the winner's table throws into the air, and a small picture of the position that decided the
// game. Loaded when there is a result.
import { sounds } from "./hear.js";
import { parse } from "./patch.js";
import { still } from "./preferences.js";
import { api, find, main } from "./received.js";
import { $, the, wait } from "./ui.js";

const PIECES = 26, RISES = 1500; // of a celebration; milliseconds that each is in the air
const WIDE = 720, NARROW = 400; // pixels: the least width of a board in a wide window, before it is made small; that in others
const PART = 0.56; // of a wide window, that its board has
const TRIES = 4, LATER = 2000; // to get the picture, and milliseconds between two
const ASKS = 60, EVERY = 4000; // how often we look whether an analysis under way is done, and after how many milliseconds
/** @type {Record<string, string | undefined>} */
const SIGNATURES = { won: "win", lost: "loss", drawn: "draw" };

/** @type {Turning | null} */
let turning = null; // of the analysis, once it is there
let drawn = "", asked = false, tries = 0, large = false; // large: the picture has the sheet's width, as asked for on a phone
/** @type {WeakMap<HTMLElement, ShadowRoot>} */
const roots = new WeakMap(); // of pictures

// What has to be there whenever the page has changed. `live`: the game ended while this page was open.
/** @param {boolean} live */
export function ending(live) {
  const result = $(".result.ending");
  if (!result) return;
  const { mood = "" } = result.dataset;
  if (live) sounds(SIGNATURES[mood]);
  if (live && mood === "won") celebrate(result);
  if (!asked && find("moment")) {
    asked = true;
    analysed().catch(() => {}); // the picture is that of the score then
  }
  moment();
}

// The worst decision, if the game is analysed or is just being analysed; looking starts no analysis.
async function analysed() {
  for (let asks = 0; asks < ASKS; asks++) { // a game has fewer decisions than `since`: so no graph is drawn meanwhile
    const got = await fetch(`${api}/analysis?since=100000`);
    if (!got.ok) return;
    /** @type {Report} */
    const report = await got.json();
    turning = report.turning;
    if (turning) return moment();
    if (report.status === "none" || report.status === "done") return;
    await wait(EVERY);
  }
}

function moment() {
  const box = find("moment");
  if (!box) return;
  if (turning) {
    const link = /** @type {HTMLAnchorElement} */ (the("a", box));
    link.href = link.href.replace(/step=\d+/, `step=${turning.version}`);
    box.dataset.step = String(turning.version);
    the("[data-key=moment-head]", box).textContent = "The turning point";
    the("[data-key=moment-words]", box).textContent = turning.words;
  }
  enlarge(box);
  const { step = "" } = box.dataset;
  if (step === drawn) return;
  drawn = step;
  picture(the(".still", box), step).catch(() => {
    drawn = "";
    if (++tries < TRIES) wait(LATER).then(moment);
  });
}

// Makes the picture as wide as the sheet, or as small as the words beside it are high.
/** @param {HTMLElement} box */
function enlarge(box) {
  box.toggleAttribute("data-large", large);
  $("[data-enlarge]", box)?.setAttribute("aria-expanded", String(large));
  const place = the(".still", box), scene = /** @type {HTMLElement | null} */ (roots.get(place)?.querySelector(".scene"));
  if (scene) fill(place, scene);
}
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-enlarge]"), box = find("moment");
  if (!button || !box) return;
  large = !large;
  enlarge(box);
  box.scrollIntoView({ block: "nearest" });
});

// Copies of the page's drawings, with the symbols that the scene shows and those that these use: all of a game's are thousands
// of elements.
/** @type {(scene: Element) => Element[]} */
function drawings(scene) {
  const art = [...document.querySelectorAll("body > svg")].map((one) => /** @type {Element} */ (one.cloneNode(true)));
  const symbols = new Map(art.flatMap((one) => [...one.querySelectorAll("symbol")]).map((one) => [`#${one.id}`, one]));
  /** @type {Set<Element>} */
  const used = new Set();
  /** @type {(uses: Iterable<Element>) => void} */
  const keep = (uses) => {
    for (const one of uses) {
      const symbol = symbols.get(one.getAttribute("href") ?? "");
      if (!symbol || used.has(symbol)) continue;
      used.add(symbol);
      keep(symbol.querySelectorAll("use"));
    }
  };
  for (const one of [scene, ...art]) keep([...one.querySelectorAll("use")].filter((use) => !use.closest("symbol")));
  for (const one of symbols.values()) if (!used.has(one)) one.remove();
  return art;
}

// The board of a step, in a tree of its own: keys, rules and scripts of the page's board do not reach it.
/** @type {(place: HTMLElement, step: string) => Promise<void>} */
async function picture(place, step) {
  const got = await fetch(`${api}/replay?step=${step}`);
  if (!got.ok) throw new Error(`The server answered ${got.status}.`);
  const scene = /** @type {HTMLElement} */ (parse((await got.json()).frame.html).firstElementChild);
  for (const child of [...scene.children]) if (!child.matches(".board")) child.remove();
  const root = roots.get(place) ?? place.attachShadow({ mode: "closed" });
  roots.set(place, root);
  const looks = [...document.querySelectorAll("link[rel=stylesheet]")].map((one) => one.cloneNode());
  const loaded = looks.map((one) => new Promise((done) => (one.addEventListener("load", done), one.addEventListener("error", done))));
  const art = drawings(scene);
  scene.inert = true;
  root.replaceChildren(...looks, ...art, scene);
  Object.assign(scene.style, { position: "absolute", left: "0", top: "0", visibility: "hidden" });
  await Promise.all(loaded);
  fill(place, scene);
}

// Draws the board as large as its place, which is as high as the board needs if that is to be large.
/** @type {(place: HTMLElement, scene: HTMLElement) => void} */
function fill(place, scene) {
  const wide = innerWidth < WIDE ? NARROW : Math.max(WIDE, PART * innerWidth);
  Object.assign(scene.style, { width: `${wide}px`, minHeight: "" });
  place.style.height = large ? `${(place.offsetWidth * scene.offsetHeight) / wide}px` : "";
  const box = place.getBoundingClientRect();
  scene.style.minHeight = `${(wide * box.height) / box.width}px`; // a board that can be as high as its place is so
  // The whole board: a hand at its lower edge belongs to it.
  const size = Math.min(box.width / scene.offsetWidth, box.height / scene.offsetHeight);
  const aside = (box.width - size * scene.offsetWidth) / 2, down = (box.height - size * scene.offsetHeight) / 2;
  scene.style.transform = `translate(${aside}px, ${down}px) scale(${size})`;
  scene.style.transformOrigin = "0 0";
  scene.style.visibility = "";
}

// Thrown up from the headline, and fallen again.
/** @param {HTMLElement} result */
function celebrate(result) {
  if (still() || document.hidden || !result.animate) return;
  const from = the("h1", result).getBoundingClientRect(), faces = (result.dataset.cheer ?? "").split(" ").filter(Boolean);
  const mark = the(".totals .first .mark use", result).getAttribute("href") ?? "", seat = the(".totals .first .mark", result).classList[1];
  const sky = document.createElement("div");
  sky.className = "cheer";
  sky.ariaHidden = "true";
  const flights = Array.from({ length: PIECES }, (_, i) => {
    const face = faces.length ? `#${faces[i % faces.length]}` : mark;
    const piece = /** @type {SVGElement} */ (parse(`<svg class="${faces.length ? "" : seat}"><use href="${CSS.escape(face).replace("\\#", "#")}"/></svg>`).firstElementChild);
    sky.append(piece);
    piece.style.left = `${from.left + (from.width * (i + 0.5)) / PIECES}px`;
    piece.style.top = `${from.top}px`;
    const aside = (i / (PIECES - 1) - 0.5) * Math.min(innerWidth, 1000), up = 90 + 130 * ((i * 7) % PIECES) / PIECES, spin = ((i * 53) % 90) * 8 - 360;
    return { piece, frames: [
      { transform: "scale(.3)", opacity: 0, easing: "cubic-bezier(.1,.7,.4,1)" },
      { transform: `translate(${aside * 0.6}px,${-up}px) rotate(${spin / 2}deg)`, opacity: 1, offset: 0.35, easing: "cubic-bezier(.5,0,.9,.6)" },
      { transform: `translate(${aside}px,${innerHeight - from.top}px) rotate(${spin}deg)`, opacity: 1 },
    ] };
  });
  main.append(sky); // where the game's colours are known
  const all = flights.map(({ piece, frames }, i) => piece.animate(frames, { duration: RISES, delay: 18 * ((i * 11) % PIECES), fill: "both" }).finished);
  Promise.allSettled(all).then(() => sky.remove());
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => sky.remove(), { once: true, passive: true });
}
