// What is sent to the house around the board: what buttons, choices and forms say that make no move. Loaded with the first
// press for it: it can't be sent without the house, either.
import { api } from "./received.js";
import { complain, explain, post, say, unique } from "./ui.js";
import { stream } from "./updates.js";

// Sends what a button or a choice has in `data-post` and `data-body`.
/** @type {(node: HTMLElement) => Promise<void>} */
export async function act(node) {
  if (node.classList.contains("sent")) return; // pressed twice while this was loaded
  node.classList.add("sent");
  try {
    const answer = await post(`${api}/${node.dataset.post}`, JSON.parse(node.dataset.body || "{}"));
    if (answer.url) location.href = answer.url;
    else if (node.dataset.then) location.href = node.dataset.then;
    else if (stream.lost()) stream.connect();
  } catch (problem) {
    complain(node, problem);
  }
  node.classList.remove("sent");
}

/** @type {(choice: HTMLSelectElement) => Promise<void>} */
export function chosen(choice) {
  const [kind, bot] = choice.value.split(":");
  const pace = choice.dataset.post === "pace";
  choice.dataset.body = JSON.stringify(pace ? { pace: kind } : { seat: Number(choice.dataset.seat), kind, ...(bot && { bot }) });
  return act(choice);
}

// A line of chat; words for the dice, sent from a page that shows what the house committed itself to; the host's choice
// of time.
/** @type {(form: HTMLFormElement) => Promise<void>} */
export async function submit(form) {
  const { text, words } = /** @type {Partial<Fields<"text" | "words">>} */ (form.elements);
  if (text && !text.value.trim()) return;
  try {
    if (text) {
      await post(`${api}/chat`, { text: text.value, id: (text.dataset.id ||= unique()) });
      text.value = text.dataset.id = "";
      say(text, "");
    } else if (words) await post(`${api}/sit`, { words: words.value });
    else await post(`${api}/tempo`, { tempo: (await import("./tempo.js")).tempo(new FormData(form)) });
  } catch (problem) {
    say(form.elements[0], explain(problem));
  }
}
