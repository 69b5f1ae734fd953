// The invitation on a player's page: the game, the number of seats, the time.
import { tempo } from "./tempo.js";
import { $, complain, post, the } from "./ui.js";

const form = $("form[data-challenge]");
const fields = /** @type {Fields<"what" | "players" | "rest" | "rated">} */ (form?.elements); // used only if there is one

// Offers only the game's numbers of players, and the choice for further seats only if there are any.
function fit() {
  const [fewest, most] = (fields.what.selectedOptions[0].dataset.players ?? "").split(" ").map(Number);
  for (const one of fields.players.options) one.disabled = +one.value < fewest || +one.value > most;
  if (fields.players.selectedOptions[0]?.disabled ?? true) fields.players.value = String(fewest);
  /** @type {HTMLElement} */ (fields.rest.closest("label")).hidden = +fields.players.value < 3;
}

form?.addEventListener("change", fit);
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = JSON.parse(fields.what.value), rest = { kind: fields.rest.value }, button = the("button", form);
  for (let free = +fields.players.value - 2; free > 0; free--) body.seats.push(rest);
  button.disabled = true;
  try {
    const data = new FormData(form);
    location.assign((await post("/api/tables", { ...body, tempo: tempo(data), absent: Number(data.get("absent")), rated: fields.rated.checked })).url);
  } catch (problem) {
    complain(button, problem);
  }
  button.disabled = false;
});
if (form) fit();
