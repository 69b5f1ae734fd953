// The invitation on a player's page: the game, the number of seats, the time.
import { tempo } from "./tempo.js";
import { $, explain, post, say } from "./ui.js";

const form = $("[data-challenge]"), fields = form?.elements;

// Offers only the game's numbers of players, and the choice for further seats only if there are any.
function fit() {
  const [fewest, most] = fields.what.selectedOptions[0].dataset.players.split(" ").map(Number);
  for (const one of fields.players.options) one.disabled = one.value < fewest || one.value > most;
  if (fields.players.selectedOptions[0]?.disabled ?? true) fields.players.value = fewest;
  fields.rest.closest("label").hidden = fields.players.value < 3;
}

form?.addEventListener("change", fit);
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = JSON.parse(fields.what.value), rest = { kind: fields.rest.value }, button = $("button", form);
  body.seats.push(...Array(fields.players.value - 2).fill(rest));
  button.disabled = true;
  try {
    const data = new FormData(form);
    location.assign((await post("/api/tables", { ...body, tempo: tempo(data), absent: +data.get("absent"), rated: fields.rated.checked })).url);
  } catch (problem) {
    say(button, explain(problem), problem.clause);
  }
  button.disabled = false;
});
if (form) fit();
