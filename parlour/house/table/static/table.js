// A table: its keys, and how its page begins. What else it does is in the modules that it imports. Those that are named for
// that alone would be asked for late, as other modules need them.
import "./clock.js";
import "./reach.js";
import "./updates.js";
import { force } from "./forced.js";
import { offer } from "./guide.js";
import { focused, mark } from "./keys.js";
import { lead } from "./lead.js";
import { updatePick } from "./picking.js";
import { pressKey } from "./press.js";
import { skip } from "./queue.js";
import { calm } from "./sure.js";
import { drawer, inWords, tab, turn } from "./tabs.js";
import { $, the, use } from "./ui.js";

document.addEventListener("keydown", (event) => {
  const focus = focused();
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (event.key === "Escape" && focus.id === "move") $(".acts")?.focus();
  if (focus.matches("input, textarea, select")) return;
  if (turn(event)) return;
  if (event.key === "Escape") return calm(), fold(null), drawer(false);
  if (event.key === "?") return help();
  if (event.shiftKey && /^[LPMO]$/i.test(event.key) && $(".scene .board")) {
    event.preventDefault();
    return inWords(({ answer }) => answer(event.key));
  }
  if (event.key === "/" && $("#move")) {
    event.preventDefault();
    tab("words");
    return the("#move").focus();
  }
  if (walk(event)) return;
  const key = event.key === " " ? "Enter" : event.key;
  if (key === "Enter" && focus.matches("button, a, summary") && focus.matches(":focus-visible")) return;
  if (key === "Enter" && focus.matches("[role=button]:focus-visible")) {
    event.preventDefault();
    return event.repeat ? undefined : pressKey(focus);
  }
  const node = $(`.scene [data-shortcut="${CSS.escape(key)}"]`) ?? (key === "u" && $(".scene [data-undo]"));
  if (node || key === "Enter") event.preventDefault();
  if (!node) return skip(); // any key ends what is moving
  if (!event.repeat) pressKey(node);
});

/** @type {typeof import("./arrows.js") | null} */
let arrows = null;
const load = async () => (arrows ??= await import("./arrows.js"));
addEventListener("keydown", () => void load().catch(() => {}), { capture: true, once: true });

// Walks, if this key means that. Returns whether it did. An arrow that comes before what walks is pressed again then.
/** @type {(event: KeyboardEvent) => boolean} */
function walk(event) {
  if (arrows || !/^(Arrow\w+|Home|End)$/.test(event.key)) return !!arrows?.walk(event);
  const { target } = event;
  event.preventDefault();
  load().then(() => target?.dispatchEvent(new KeyboardEvent("keydown", event)), () => {});
  return true;
}

// A click elsewhere folds whatever was unfolded over the board.
/** @type {(but: Element | null) => void} */
function fold(but) {
  for (const node of document.querySelectorAll(".scene details[open]")) if (node !== but) node.open = false;
}
document.addEventListener("pointerdown", (event) => fold(event.target.closest?.("details")));

/** @type {() => unknown} */
const help = () => use(import("./help.js"), ({ keys }) => keys(), the("main"));
$("[data-help]")?.addEventListener("click", help);

tab(the("main").dataset.tab ?? "log", false);
updatePick();
mark();
offer();
force();
lead();
