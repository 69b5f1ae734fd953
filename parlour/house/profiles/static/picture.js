// The picture on the page You, drawn anew with each choice.
import { $, the } from "./ui.js";

const form = $("[data-picture]");
if (form) {
  const svg = the(".preview svg", form), [ground] = svg.querySelectorAll("rect"), [pattern, figure] = svg.querySelectorAll("use");
  /** @type {(name: string) => HTMLInputElement} */
  const chosen = (name) => /** @type {HTMLInputElement} */ (the(`[name=${name}]:checked`, form));
  form.addEventListener("change", () => {
    const ink = chosen("ink").dataset.colour ?? "", colour = chosen("ground").dataset.colour ?? "";
    /** @type {(use: Element, name: string, at: number) => void} */
    const take = (use, name, at) => use.setAttribute("href", chosen(name).parentElement?.querySelectorAll("use")[at].getAttribute("href") ?? "");
    take(pattern, "pattern", 0);
    take(figure, "figure", 1);
    ground.setAttribute("fill", colour);
    for (const [use, names, value] of /** @type {const} */ ([[pattern, ["color", "stroke"], ink], [figure, ["color"], colour], [figure, ["fill", "stroke"], ink]])) {
      for (const name of names) use.setAttribute(name, value);
    }
  });
}
