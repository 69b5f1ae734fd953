// The account pages: each form sends itself, then shows the change; links that sign in.
import "./places.js";
import { $, explain, post, say } from "./ui.js";

// A link for another device, or a webhook's secret, in its place beside the form.
function show(form, { url, qr, secret }) {
  const made = $(".made", form.parentElement);
  if (qr) $(".qr", made).innerHTML = qr;
  $("input", made).value = $("[data-copy]", made).dataset.copy = url ?? secret;
  made.hidden = false;
  $("[data-copy]", made).focus();
}

document.addEventListener("submit", async (event) => {
  const form = event.target, path = form.dataset.send;
  if (!path) return;
  event.preventDefault();
  const body = form.dataset.body ? JSON.parse(form.dataset.body) : Object.fromEntries(new FormData(form));
  for (const { name, value } of form.querySelectorAll("[type=date]")) body[name] = new Date(`${value}T${name === "until" ? 24 : "00"}:00`) / 1000;
  for (const box of form.querySelectorAll("[type=checkbox]")) body[box.name] = box.checked;
  const button = $("button", form);
  button.disabled = true;
  try {
    const told = await post(path, body);
    if (told.qr || told.secret) show(form, told);
    else if (told.url) location.assign(told.url);
    else {
      history.replaceState(null, "", form.dataset.then ?? location.pathname); // the part after # names what was done
      location.reload();
    }
  } catch (problem) {
    say(button, explain(problem));
  }
  button.disabled = false;
});

// Shows moments in the viewer's time zone, also in the names of buttons.
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
for (const one of document.querySelectorAll("time")) {
  const was = one.textContent, button = $("[aria-label]", one.closest("li") ?? one);
  one.textContent = date.format(new Date(one.dateTime));
  button?.setAttribute("aria-label", button.getAttribute("aria-label").replace(was, one.textContent));
}

// Browsers don't send the part of a link after #, so no log has it.
const place = $("[data-link]");
if (place) {
  const form = $("form", place), told = $("[data-told]", place), token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  try {
    const { name, kind } = await post("/api/me/link/look", { token });
    const words = kind === "reset" ? ", with a new password" : "";
    told.replaceChildren("This signs you in on this device as ", Object.assign(document.createElement("bdi"), { textContent: name }), `${words}.`);
    form.elements.token.value = token;
    const field = form.elements.password;
    field.parentElement.hidden = field.disabled = kind !== "reset";
    field.required = !field.disabled;
    form.hidden = false;
  } catch (problem) {
    told.textContent = explain(problem);
  }
}
