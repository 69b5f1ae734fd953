// A clause of a rulebook, shown over the page: over a table's, a replay's or the lobby's.
import { $ } from "./ui.js";

const target = document.body.dataset.page === "lobby" ? ' target="_blank"' : ""; // so that a form begun in the lobby stays
const DIALOG = `<dialog id="clause" aria-label="A rule"><div class="words"></div><p class="row-end"><a class="whole"${target}>Full rulebook</a><button class="act" data-close><span>Close</span></button></p></dialog>`;
const rulebooks = new Map(); // rulebooks asked for, by address
const read = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
};

// `href` is the clause's address, which a page also has when one comes back to it. Throws if there is no such clause.
export async function show(href) {
  const [address, clause] = href.split("#");
  if (!rulebooks.has(address)) rulebooks.set(address, read(address));
  const words = await rulebooks.get(address).then((book) => book.getElementById(clause)).catch(() => rulebooks.delete(address) && null);
  if (!words) throw new Error("no such clause");
  if (location.hash === `#${clause}`) history.replaceState(null, "", location.pathname + location.search);
  if (!$("#clause")) document.body.insertAdjacentHTML("beforeend", DIALOG);
  const box = $("#clause");
  $(".words", box).replaceChildren(...words.cloneNode(true).childNodes);
  $("a.whole", box).href = href;
  box.showModal();
}
