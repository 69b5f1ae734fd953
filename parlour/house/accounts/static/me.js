// The account pages: each form sends itself, then shows the change; links that sign in.
import "./places.js";
import { $, explain, post, say, the } from "./ui.js";

// A link for another device, a webhook's secret or a token, in its place beside the form.
/** @type {(form: HTMLFormElement, answer: Done) => void} */
export function show(form, { url, qr, secret }) {
  const made = the(".made", form.parentElement ?? document), copy = the("[data-copy]", made);
  if (qr) the(".qr", made).innerHTML = qr;
  the("input", made).value = copy.dataset.copy = url ?? secret ?? "";
  made.hidden = false;
  copy.focus();
}

document.addEventListener("submit", async (event) => {
  const form = event.target, path = form.dataset.send;
  if (!path) return;
  event.preventDefault();
  const body = form.dataset.body ? JSON.parse(form.dataset.body) : Object.fromEntries(new FormData(form));
  for (const { name, value } of form.querySelectorAll("input[type=date]")) body[name] = +new Date(`${value}T${name === "until" ? 24 : "00"}:00`) / 1000;
  for (const { name, value } of form.querySelectorAll("input[type=datetime-local]")) body[name] = value ? +new Date(value) / 1000 : null;
  for (const { name, value } of form.querySelectorAll("select[data-parse]")) Object.assign(body, name ? { [name]: JSON.parse(value) } : JSON.parse(value));
  for (const box of form.querySelectorAll("input[type=checkbox]")) body[box.name] = box.checked;
  const button = the("button", form);
  button.disabled = true;
  try {
    /** @type {Done} */
    const answer = await post(path, body);
    if (answer.qr || answer.secret) show(form, answer);
    else if (answer.url) location.assign(answer.url);
    else {
      history.replaceState(null, "", form.dataset.then ?? location.pathname); // the part after # names what was done
      location.reload();
    }
  } catch (problem) {
    say(button, explain(problem));
  }
  button.disabled = false;
});

// Shows moments in the viewer's time zone, including in the names of buttons.
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
for (const one of document.querySelectorAll("time")) {
  const was = one.textContent, button = $("[aria-label]", one.closest("li") ?? one);
  one.textContent = date.format(new Date(one.dateTime));
  button?.setAttribute("aria-label", (button.ariaLabel ?? "").replace(was, one.textContent));
}

// Browsers don't send the part of a link after #, so no log has it.
const place = $("[data-link]");
if (place) {
  const form = the("form", place), status = the("[role=status]", place), token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  try {
    const { name, kind } = await post("/api/me/link/look", { token });
    const words = kind === "reset" ? ", with a new password" : "";
    status.replaceChildren("This signs you in on this device as ", Object.assign(document.createElement("bdi"), { textContent: name }), `${words}.`);
    const fields = /** @type {Fields<"token" | "password">} */ (form.elements), field = fields.password;
    fields.token.value = token;
    /** @type {HTMLElement} */ (field.parentElement).hidden = field.disabled = kind !== "reset";
    field.required = !field.disabled;
    form.hidden = false;
  } catch (problem) {
    status.textContent = explain(problem);
  }
}
