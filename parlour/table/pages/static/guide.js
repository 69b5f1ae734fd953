// First steps: a few sentences beside the things that they are about. They never stand in the way of playing.
import { $, remember } from "./ui.js";

const box = $("#guide"), steps = box ? [...box.querySelectorAll("li")] : [];
const name = `parlour-guide-${$("main").dataset.game}`;
const ring = document.createElement("div");
ring.className = "guide-ring";
ring.setAttribute("aria-hidden", "true");
let at = 0, timer, from;

const open = () => steps.length > 0 && !box.hidden;
const target = () => steps[at].dataset.at && document.querySelector(`[data-key="${CSS.escape(steps[at].dataset.at)}"]`);
const playing = () => $("main").dataset.status === "playing" && !$(".curtain") && $(".bar");

// Once for each game, to those who play it; `parlour-guide` = off: to nobody.
export function offer() {
  if (steps.length && !open() && playing() && "seated" in $('[data-key="table"]').dataset && !remember(name) && remember("parlour-guide") !== "off") start();
}

export function start() {
  if (!steps.length) return;
  from = document.activeElement;
  box.hidden = false;
  document.body.append(ring);
  timer ??= setInterval(place, 150); // the board moves under it
  addEventListener("scroll", place, true);
  go(0);
  if (!from || from === document.body || from.closest(".drawer")) box.focus({ preventScroll: true });
}

function stop() {
  const inside = box.contains(document.activeElement);
  clearInterval(timer);
  timer = undefined;
  removeEventListener("scroll", place, true);
  box.hidden = true;
  ring.remove();
  remember(name, "seen");
  if (inside) (from?.isConnected && from !== document.body && from.checkVisibility({ visibilityProperty: true }) ? from : $(".prompt"))?.focus();
}

function go(step) {
  if (step >= steps.length) return stop();
  at = Math.max(0, step);
  steps.forEach((one, i) => (one.hidden = i !== at));
  $(".count", box).textContent = `First steps, ${at + 1} of ${steps.length}`;
  const back = $("[data-guide=back]", box);
  at ? back.removeAttribute("aria-disabled") : back.setAttribute("aria-disabled", "true");
  $("[data-guide=next] span", box).textContent = at + 1 === steps.length ? "Play" : "Next";
  const it = target(), seen = it?.getBoundingClientRect();
  if (seen && !it.closest(".bar") && (seen.top < 0 || seen.bottom > $(".bar")?.getBoundingClientRect().top)) it.scrollIntoView({ block: "center" });
  place();
}

// Below the thing, or above it, or at the end of the page; never over the bar where one decides.
function place() {
  if (!playing()) box.style.visibility = ring.style.visibility = "hidden";
  else {
    box.style.visibility = ring.style.visibility = "";
    const it = target()?.getBoundingClientRect(), bar = $(".bar").getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = box, gap = 14;
    ring.hidden = !it?.width;
    ring.style.zIndex = target()?.closest(".bar") ? 14 : 7; // what scrolls under the bar is marked under it
    let top = (innerHeight - height) / 2, left = (innerWidth - width) / 2;
    if (it?.width) {
      const floor = it.top >= bar.top || bar.top < innerHeight / 2 ? innerHeight : Math.min(innerHeight, bar.top);
      Object.assign(ring.style, { top: `${it.top - 5}px`, left: `${it.left - 5}px`, width: `${it.width + 10}px`, height: `${it.height + 10}px` });
      left = it.left + it.width / 2 - width / 2;
      top = it.bottom + gap + height <= floor ? it.bottom + gap : it.top - gap - height >= 0 ? it.top - gap - height : floor - height - gap;
    }
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    box.style.top = `${Math.max(8, top)}px`;
  }
}

document.addEventListener("click", (event) => {
  const what = event.target.closest?.("[data-guide]")?.dataset.guide;
  if (what === "start") {
    start();
    box.focus({ preventScroll: true });
  } else if (what === "close") stop();
  else if (what) go(at + (what === "back" ? -1 : 1));
});
document.addEventListener("keydown", (event) => {
  if (!open() || event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (document.activeElement.matches("input, textarea, select, [role=tab]")) return;
  const what = { Escape: "close", ArrowRight: "next", ArrowLeft: "back" }[event.key];
  if (!what) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  $(`[data-guide=${what}]`, box).click();
}, true);
