// Scrolls to what a decision is about: what a lesson marks or, if no move on the board is visible, the first one. Once for
// each decision, as a player who then scrolls away wants to look elsewhere.
import { still } from "./preferences.js";
import { $, the } from "./ui.js";

let led = "";
export function lead() {
  const marked = $(".scene[data-lesson] .board .hinted"), bar = $(".bar");
  const all = marked ? [marked] : document.querySelectorAll(".scene .board :is([data-action], [data-part])");
  const place = `${the("main").dataset.version} ${marked?.dataset.key}`;
  if (!all.length || !bar || place === led || $(".curtain, .guide:not([hidden])")) return;
  led = place;
  const boxes = [...all].map((node) => node.getBoundingClientRect());
  const end = bar.getBoundingClientRect().left < innerWidth / 2 ? Math.min(innerHeight, bar.getBoundingClientRect().top) : innerHeight;
  if (boxes.some((box) => box.top >= 0 && box.bottom <= end)) return;
  all[0].scrollIntoView({ block: "center", inline: "nearest", behavior: still() ? "instant" : "smooth" });
}
