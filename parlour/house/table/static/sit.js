// A table that waits: sitting down, with a name; and the lesson meanwhile. Loaded with the first press for it.
import { api, main } from "./received.js";
import { complain, post, say } from "./ui.js";

/** @type {(form: HTMLFormElement, button: HTMLElement | null) => Promise<void>} */
export async function sit(form, button) {
  const field = /** @type {Fields<"name">} */ (form.elements).name, name = field.value.trim(), { token, unnamed } = main.dataset;
  if (unnamed !== undefined && !name) {
    field.focus();
    return say(field, "Please give a name first: the others see it.");
  }
  const seat = button?.getAttribute("value"); // of one of several free seats
  button?.classList.add("sent");
  try {
    if (unnamed !== undefined) await post("/api/me", { name });
    await post(`${api}/sit`, seat ? { seat: Number(seat) } : token ? { token } : {});
    location.href = `/t/${main.dataset.table}`;
  } catch (problem) {
    button?.classList.remove("sent");
    complain(button ?? form, problem);
  }
}

// In a tab of its own, opened while the press lasts: so the place at this table is kept.
/** @type {(button: HTMLElement) => Promise<void>} */
export async function learn(button) {
  const { game, ruleset } = main.dataset, tab = open("", "_blank");
  try {
    const { url = "/" } = await post("/api/lessons", { game, ...(ruleset && { ruleset }) });
    (tab ?? window).location.href = url;
  } catch (problem) {
    tab?.close();
    complain(button, problem);
  }
}
