// A clause of a rulebook, shown over the page: over a table's, a replay's or the lobby's.
import { $, the } from "./ui.js";

const target = document.body.dataset.page === "lobby" ? ' target="_blank"' : ""; // so that a form begun in the lobby stays
const DIALOG = `<dialog id="clause" aria-label="A rule"><div class="words"></div><p class="row-end"><a class="whole"${target}>Full rulebook</a><button class="act" data-close><span>Close</span></button></p></dialog>`;
/** @type {Map<string, Promise<Document>>} */
const rulebooks = new Map(); // rulebooks asked for, by address
/** @type {(address: string) => Promise<Document>} */
const read = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
};

// `href` is the clause's address, which a page also has when one comes back to it. Throws if there is no such clause.
/** @type {(href: string) => Promise<void>} */
export async function show(href) {
  const [address, clause] = href.split("#");
  const known = rulebooks.get(address) ?? read(address);
  rulebooks.set(address, known);
  const words = await known.then((book) => book.getElementById(clause)).catch(() => void rulebooks.delete(address));
  if (!words) throw new Error("no such clause");
  if (location.hash === `#${clause}`) history.replaceState(null, "", location.pathname + location.search);
  if (!$("#clause")) document.body.insertAdjacentHTML("beforeend", DIALOG);
  const box = the("#clause");
  the(".words", box).replaceChildren(...words.cloneNode(true).childNodes);
  the("a.whole", box).href = href;
  box.showModal();
  document.dispatchEvent(new CustomEvent("parlour:clause", { detail: clause }));
}
