// Fits the table into a wide window, and a replay into any: a board that is too tall is drawn smaller. It stays so until
// the window changes, so that nothing grows and shrinks from move to move.
const wide = matchMedia("(min-width: 64rem)"), replays = !!document.querySelector("main.replay");
const LEAST = replays ? 0.5 : 0.7; // below this the letters get too small, so the board scrolls
const fits = () => wide.matches || replays;
let sized = "", zoom = 1;

/** @type {(scene: HTMLElement | null) => void} */
export function fit(scene) {
  const board = scene?.querySelector(":scope > .board"), now = `${innerWidth} ${innerHeight}`;
  if (!scene || !board) return;
  if (sized !== now) {
    [sized, zoom, sizes, most] = [now, 1, {}, 0];
    if (replays || !upright.matches) release(board); // its height was another window's
  }
  if (scene.dataset.lesson === undefined || upright.matches) shorten(scene.querySelector(".prompt"));
  keepPlaces(scene);
  observe(); // a waiting room has neither board nor bar
  if (!fits()) return void (board.style.zoom = "");
  for (let tries = 0; tries < 4; tries++) {
    board.style.width = board.style.marginInline = "";
    board.style.zoom = zoom < 1 ? String(zoom) : "";
    const over = scene.scrollHeight - scene.clientHeight, tall = board.getBoundingClientRect().height;
    if (over < 1) return keep(board);
    if (held) {
      release(board); // something beside it has grown
      continue;
    }
    if (zoom <= LEAST) return narrow(board, (tall - over) / tall);
    zoom = Math.max(LEAST, Math.floor((100 * zoom * (tall - over)) / tall) / 100);
  }
}

// A prompt has room for two lines; a longer one is set smaller there, so that it moves nothing.
let said = "", long = false;
/** @type {(prompt: Element | null) => void} */
function shorten(prompt) {
  if (!prompt) return;
  const now = `${sized} ${prompt.textContent}`;
  if (now !== said) {
    prompt.classList.remove("long");
    const room = parseFloat(getComputedStyle(prompt).minHeight);
    [said, long] = [now, room > 0 && prompt.getBoundingClientRect().height > room + 1];
  }
  if (prompt.classList.contains("long") !== long) prompt.classList.toggle("long", long);
}

// A board of a replay whose height follows from its width gets narrower.
/** @type {(board: HTMLElement, share: number) => void} */
function narrow(board, share) {
  if (replays) Object.assign(board.style, { width: `${Math.max(50, Math.floor(100 * share))}%`, marginInline: "auto" });
}

// On a phone the dock is as high as it was for any decision before, and the main button leaves the places of hints and
// moves free when they are not there: so nothing in it moves when the decision changes. The elements that need these sizes
// have them, not the table, all of which would be styled again.
const MOST = 92; // pixels: one row of buttons; more rows are given back to the board
/** @type {Record<string, number>} */
let sizes = {};
let most = 0; // the room for hints and moves on any turn

// Returns how high the dock was before, and how wide the room that is now kept for hints and moves.
/** @type {(scene: HTMLElement | null) => { high: number, room: number }} */
export function keepPlaces(scene) {
  /** @type {HTMLElement | null | undefined} */
  const acts = scene?.querySelector(".acts");
  if (!acts || scene?.dataset.lesson !== undefined) return { high: acts?.offsetHeight ?? 0, room: 0 };
  if (!Object.keys(sizes).length) for (const name of ["acts", "tools"]) acts.style.removeProperty(`--${name}`);
  const { height } = acts.getBoundingClientRect();
  if (height <= MOST) sizes.acts = Math.max(sizes.acts ?? 0, Math.round(height));
  const tools = [...acts.querySelectorAll(".act:is(.ask, .list)")].map((one) => one.getBoundingClientRect().width);
  const gap = parseFloat(getComputedStyle(acts).columnGap) || 0;
  const used = Number(tools.reduce((sum, width) => sum + width + gap, 0).toFixed(1));
  most = Math.max(most, used);
  sizes.tools = acts.matches(".full") ? 0 : most - used; // its moves need all the room
  /** @type {HTMLElement | null | undefined} */
  const faster = scene?.parentElement?.querySelector(".faster");
  for (const node of faster ? [acts, faster] : [acts]) {
    for (const [name, size] of Object.entries(sizes)) {
      if (node.style.getPropertyValue(`--${name}`) !== `${size}px`) node.style.setProperty(`--${name}`, `${size}px`);
    }
  }
  return { high: Math.round(height), room: sizes.tools };
}

// Upright, a board gets the room that the rest of the window leaves (table.css). A browser finds that room after it has
// laid the board out without it, so each change was laid out twice, in two sizes. So the height that a board got is also
// its least, until the page would scroll because something beside it has grown. Called when all is laid out.
const upright = matchMedia("(max-width: 63.99rem) and (orientation: portrait)"), rows = matchMedia("(max-width: 63.99rem)"), { body } = document;
/** @type {{ board: HTMLElement, least: string } | null} */
let held = null;
/** @type {(board?: HTMLElement | null) => void} */
function hold(board) {
  if (!board || replays) return;
  const { height } = board.getBoundingClientRect(), room = parseFloat(getComputedStyle(body).minHeight);
  const scrolls = body.getBoundingClientRect().height > room + 0.5;
  const least = height && upright.matches && !scrolls ? `${height}px` : "";
  if (board === held?.board && least === held.least) return; // a style that is written again is applied again
  held = { board, least };
  board.style.minHeight = least;
}

// In a replay it is the same: the row of the board is at least as high as what is on the board, so that is laid out first
// as if nothing limited it. A board whose parts have their size from it alone keeps its height instead, and grows with its row.
/** @type {(board: HTMLElement) => void} */
function keep(board) {
  if (!replays || held || zoom < 1 || !rows.matches || board.style.width) return;
  if ([...board.children].some((one) => getComputedStyle(one).containerType !== "size")) return;
  held = { board, least: "100%" };
  Object.assign(board.style, { height: `${board.getBoundingClientRect().height}px`, minHeight: held.least });
}

/** @type {(board: HTMLElement) => void} */
function release(board) {
  held = null;
  board.style.height = board.style.minHeight = "";
}

// When the window has changed, or anything beside the board is higher or lower: the head, first steps, a reason, a hint.
const scene = document.querySelector(".scene");
/** @type {Set<Element>} */
const watched = new Set();
const watch = new ResizeObserver(() => {
  fit(scene);
  keepPlaces(scene);
  hold(scene?.querySelector(":scope > .board"));
});
function observe() {
  for (const one of [body, scene, ...(scene?.querySelectorAll(":scope > :is(.bar, .board)") ?? [])]) {
    if (one && !watched.has(one)) watch.observe(one);
    if (one) watched.add(one);
  }
}
observe();
