// A tournament's page: follows its stream, joins and leaves, takes you to your table when your game begins.
import { elsewhere } from "./call.js";
import { show } from "./countdown.js";
import { parse, patch } from "./patch.js";
import { follow } from "./stream.js";
import { $, complain, explain, post, the, use } from "./ui.js";

const { tournament: id, link } = the("main").dataset, lost = the(".net"), usual = lost.textContent;

// The table where the guest's game is, as far as this page knows.
const table = () => $("[data-key=cup-mine]")?.dataset.table ?? "";
const stream = follow({
  open: (query) => `/api/tournaments/${id}/events?${query}&table=${table()}${link && `&link=${link}`}`,
  here: "/api/lobby/here",
  on: {
    parts(data) {
      /** @type {{ html: string, entry: number, go: string }} */
      const { html, entry, go } = JSON.parse(data);
      for (const fresh of parse(html).children) {
        const part = $(`[data-key="${fresh.dataset.key}"]`);
        if (part) patch(part, fresh);
      }
      for (const mine of document.querySelectorAll(`[data-entry="${entry}"]`)) mine.dataset.yours = "";
      show();
      calls();
      if (go) location.assign(go);
    },
  },
  found: () => (lost.hidden = true),
  lost(problem, tries) {
    if (!problem && tries < 2) return;
    lost.textContent = `${problem ? `${explain(problem)} ` : ""}${usual}`;
    lost.hidden = false;
  },
});

// Calls you back from another page of the browser while your table waits for you.
function calls() {
  elsewhere(table() ? [`turns ${table()}`] : []);
}

// Asks before what can't be undone.
/** @type {(question: string) => Promise<boolean>} */
function sure(question) {
  const dialog = /** @type {HTMLDialogElement} */ (the("#sure"));
  the("#sure-title").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true }));
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-post]"), sharing = event.target.closest?.("[data-share], [data-qr]");
  if (sharing) use(import("./share.js"), ({ share }) => share(sharing), sharing);
  if (!button || button.classList.contains("sent")) return;
  if (button.dataset.sure && !(await sure(button.dataset.sure))) return;
  button.classList.add("sent");
  try {
    await post(button.dataset.post ?? "", JSON.parse(button.dataset.body ?? "{}"));
    stream.connect(); // its first message has everything as it is now
  } catch (problem) {
    complain(button, problem);
  }
  button.classList.remove("sent");
});
calls();
