// On pages other than the lobby: asks now and then for invitations, and for turns at other tables.
import { elsewhere } from "./call.js";
import { $ } from "./ui.js";

const EVERY = 15000; // ms while the page is visible; else half as often
const here = $("main")?.dataset.table;
/** @type {({ id }: { id: string }) => boolean} */
const not = ({ id }) => id !== here;
/** @type {typeof import("./bidden.js") | undefined} */
let bars;
let asked = 0;

/** @type {(now?: unknown) => Promise<void>} */
async function look(now) {
  if (now !== true && Date.now() - asked < EVERY * (document.hidden ? 2 : 1)) return;
  asked = Date.now();
  try {
    const answer = await fetch(`/api/invitations${document.hidden ? "?hidden=1" : ""}`);
    if (!answer.ok) return;
    /** @type {Invitations} */
    const { invitations, turns, go } = await answer.json();
    if (go && go !== location.pathname) location.href = go; // a match was found
    const invited = invitations.filter(not), mine = turns.filter(not);
    const news = elsewhere([...mine.map(({ id }) => `turns ${id}`), ...invited.map(({ id }) => `invitations ${id}`)]);
    if (bars || news.length || invited.length) (bars ??= await import("./bidden.js")).show(invited[0], mine, news, () => look(true));
  } catch {} // the next look will do
}
setInterval(look, 1000);
document.addEventListener("visibilitychange", look);
look();
