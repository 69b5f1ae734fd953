// A page's stream of updates from the server, reopened whenever it is lost.
//
// Without TLS a browser keeps six connections to a server, for all its pages together, and a stream takes one. So the
// pages of a browser share MOST streams: those looked at last have one, the others poll now and then.
import { away, hiding } from "./call.js";
import { refusal, unique } from "./ui.js";

const MOST = 4; // streams; two connections are left for presses and for pages that load
const SHOWN = 2000, HIDDEN = 30000; // ms between two polls of a page without a stream
const AGAIN = 30000, FORGOTTEN = 150000; // ms between messages that a page is open, and after which a silent page is gone
const pulse = unique(); // the name of this page
/** @type {Map<string, { seen: number, at: number }>} */
const pages = new Map(); // the others of this browser: how lately each was looked at, and when it said so
const channel = self.BroadcastChannel && new BroadcastChannel("parlour-streams");
let looked = Date.now(), said = 0;
const rank = () => looked + (document.hidden ? 0 : 1e15); // one that is in view comes before one that is not

// `open(more)`: the address of the stream; `more` is what each has in its query. `here`: where a page says that it is there.
// `wanted()`: whether the page follows at all. `on`: what to do with each kind of message. `lost(problem, tries)`: it was.
/** @type {(page: Following) => { connect: () => void, lost: () => boolean, open: () => boolean }} */
export function follow({ open, here, wanted = () => true, on, lost, found }) {
  let /** @type {EventSource | undefined} */ stream, /** @type {Timer} */ timer, /** @type {Timer} */ pulses, tries = 0, lets = true;
  const [whole] = Object.keys(on); // the message that brings a page up to date

  function connect() {
    letGo();
    say();
    if (!wanted()) return;
    const mine = (stream = new EventSource(open(`pulse=${pulse}${hiding("&")}`)));
    for (const [kind, act] of Object.entries(on)) {
      mine.addEventListener(kind, (event) => {
        reached();
        act(event.data);
        if (mine === stream && !lets && kind === whole) later();
      });
    }
    // Behind a proxy the server cannot see whether this page is still there: it asks for heartbeats.
    mine.addEventListener("pulse", ({ data }) => {
      clearInterval(pulses);
      pulses = setInterval(() => fetch(`${here}?pulse=${pulse}`).catch(() => {}), 1000 * data);
    });
    mine.addEventListener("notice", async ({ data }) => (await import("./notice.js")).show(JSON.parse(data)));
    mine.onopen = reached;
    mine.onerror = async () => {
      const refused = mine.readyState === EventSource.CLOSED; // else it was cut off
      mine.close();
      const problem = refused ? await refusal(mine.url).catch(() => null) : null;
      if (mine !== stream) return;
      if (problem?.code === "signed-out") return location.assign("/me#signed-out"); // hide what only they may see
      lost(problem, ++tries);
      if ([403, 404].includes(problem?.status ?? 0)) return; // the table is gone, or the guest is banned
      // A restarted server is back in seconds, and every page should reconnect then; after five tries it may take longer.
      const usual = Math.min(5000, 250 * 1.5 ** Math.max(0, tries - 21));
      timer = setTimeout(connect, Math.max(1000 * (problem?.after ?? 0), usual) * (0.75 + Math.random() / 2));
    };
  }
  function reached() {
    tries = 0;
    found();
  }
  function letGo() {
    clearTimeout(timer);
    clearInterval(pulses);
    stream?.close();
  }
  function later() {
    letGo();
    timer = setTimeout(connect, document.hidden ? HIDDEN : SHOWN);
  }

  // Whether this page is among those with a stream, by what the pages have sent each other.
  function share() {
    for (const [name, { at }] of pages) if (Date.now() - at > FORGOTTEN) pages.delete(name);
    const before = lets;
    lets = [...pages].filter(([name, { seen }]) => seen > rank() || (seen === rank() && name > pulse)).length < MOST;
    if (lets && !before) connect();
    if (!lets && before) later();
  }
  function say() {
    said = Date.now();
    channel?.postMessage(wanted() ? { pulse, seen: rank() } : { pulse });
  }
  function look() {
    if (Date.now() - looked < 1000) return;
    looked = Date.now();
    say();
    share();
  }
  channel?.addEventListener("message", ({ data }) => {
    const known = pages.has(data.pulse);
    if (data.seen) pages.set(data.pulse, { seen: data.seen, at: Date.now() });
    else pages.delete(data.pulse);
    if (data.seen && !known) say();
    share();
  });
  setInterval(() => Date.now() - said > AGAIN && (say(), share()), AGAIN / 2);
  for (const kind of ["focus", "pointerdown", "keydown"]) addEventListener(kind, look, { capture: true, passive: true });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) looked = Date.now();
    if (!wanted()) letGo();
    say();
    share();
  });
  addEventListener("online", connect);
  addEventListener("pageshow", (event) => event.persisted && connect());
  addEventListener("pagehide", () => (letGo(), channel?.postMessage({ pulse })));
  away((must) => (must || stream?.readyState !== EventSource.OPEN) && connect(), letGo);
  connect();
  return { connect, lost: () => tries > 0, open: () => stream?.readyState === EventSource.OPEN };
}
