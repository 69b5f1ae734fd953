// The pages of playtests: the list, the designer's page, and the page of an invite link.
import { patch } from "./patch.js";
import { $, Refusal, complain, explain, post, remember, the, wait } from "./ui.js";

/** @type {(button: HTMLElement, act: () => Promise<unknown>) => Promise<void>} */
async function tried(button, act) {
  try {
    await act();
  } catch (problem) {
    complain(button, problem);
  }
}

/** @type {(form: HTMLFormElement, button: HTMLElement | null) => Promise<void>} */
async function join({ dataset: { join: token, playtest } }, button) {
  const agree = button?.getAttribute("value") === "yes";
  remember(`parlour-playtest-${playtest}`, agree ? "" : "no"); // so that the table doesn't ask again
  location.assign((await post("/api/playtests/join", { token, agree })).url);
}

document.addEventListener("submit", (event) => {
  const { target } = event, pressed = /** @type {HTMLElement | null} */ (event.submitter);
  if (!target.matches("[data-join]")) return;
  event.preventDefault();
  tried(pressed ?? target, () => join(target, pressed));
});

document.addEventListener("click", (event) => {
  /** @type {At} */
  const at = (selector) => event.target.closest?.(selector);
  const stop = at("[data-withdraw]"), open = at("[data-open]"), gone = at("[data-delete-playtest]");
  const { playtest } = the("main").dataset;
  if (stop) tried(stop, () => post(`/api/playtests/${stop.dataset.withdraw}/consent`, { agree: false }).then(() => location.reload()));
  else if (open) tried(open, () => post(`/api/playtests/${playtest}/open`, { open: open.dataset.open === "true" }).then(() => location.reload()));
  else if (gone) tried(gone, () => post(`/api/playtests/${playtest}/delete`).then(() => location.assign("/playtests")));
});

// What takes the house a while: starts it, asks until it is done, and then draws its section as the house does now.
/** @type {Record<string, (answer: Progress) => string>} */
const WORDS = {
  bots: ({ done, total, ahead }) => ahead ? `Waiting for ${ahead} other playtest${ahead > 1 ? "s" : ""}.`
    : done ? `Bots are playing: ${done.toLocaleString("en")} of ${total.toLocaleString("en")} games.` : "Bots are getting ready to play.",
  expert: ({ done, total, ahead }) => `Analysing the games: ${done} of ${total} done${ahead ? `, behind ${ahead} other${ahead > 1 ? "s" : ""}` : ""}.`,
};
/** @type {(box: HTMLElement, name: string) => Promise<void>} */
async function follow(box, name) {
  const state = the("[data-state]", box), bar = /** @type {HTMLProgressElement} */ (the("progress", box));
  /** @type {`/api/playtests/${string}/${"bots" | "expert"}`} */
  const address = `/api/playtests/${the("main").dataset.playtest}/${/** @type {"bots" | "expert"} */ (name)}`;
  /** @type {() => Promise<Progress>} */
  const look = async () => {
    const got = await fetch(address), answer = await got.json();
    if (!got.ok) throw new Refusal(got, answer.error);
    return answer.status === "none" ? post(address) : answer;
  };
  try {
    for (let answer = await post(address); answer.status !== "done"; answer = await look()) {
      state.textContent = WORDS[name](answer);
      bar.hidden = false;
      if (answer.done) [bar.max, bar.value] = [answer.total, answer.done];
      await wait(answer.ahead || name === "expert" ? 2000 : 500);
    }
    const got = await fetch(location.href, { headers: { Accept: "text/html" } });
    const section = the(`[data-key=${name}]`), fresh = $(`[data-key=${name}]`, new DOMParser().parseFromString(await got.text(), "text/html"));
    if (!got.ok || !fresh) throw new Refusal(got);
    patch(section, fresh);
  } catch (problem) {
    const again = document.createElement("button");
    again.className = "act";
    again.append(Object.assign(document.createElement("span"), { textContent: "Try again" }));
    again.addEventListener("click", () => follow(box, name));
    bar.hidden = true;
    state.replaceChildren(`${explain(problem)} `, again);
  }
}
for (const box of document.querySelectorAll("[data-slow]")) follow(box, box.dataset.slow ?? "");
