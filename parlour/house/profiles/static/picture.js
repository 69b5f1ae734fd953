// The picture on the page You, drawn anew with each choice.
import { $, the } from "./ui.js";

const form = $("[data-picture]");
if (form) {
  const svg = the(".preview svg", form);
  /** @type {(name: string) => HTMLInputElement} */
  const chosen = (name) => /** @type {HTMLInputElement} */ (the(`[name=${name}]:checked`, form));
  form.addEventListener("change", () => {
    for (const part of ["figure", "pattern"]) the(`.${part}`, svg).innerHTML = the(`.${part}`, chosen(part).parentElement ?? form).innerHTML;
    const ground = chosen("ground").dataset.colour ?? "";
    svg.setAttribute("color", chosen("ink").dataset.colour ?? "");
    for (const one of svg.querySelectorAll(":scope > rect, .hollow")) one.setAttribute("fill", ground);
  });
  if (location.hash === "#picture") /** @type {HTMLDetailsElement} */ (the("#picture")).open = true;
}
