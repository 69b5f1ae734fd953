// Passkeys on the page You. What needs one is shown only if this browser can use passkeys at this address.
import { show } from "./me.js";
import { explain, post, Refusal, say } from "./ui.js";

const kind = window.PublicKeyCredential;
const able = isSecureContext && Boolean(kind?.parseCreationOptionsFromJSON) && Boolean(kind.prototype.toJSON);
/** @type {(origin?: string) => boolean} */
const here = (origin) => able && origin === location.origin;

// Creates a passkey, or uses one, with the server's challenge.
/** @type {(why: string, more?: object) => Promise<object>} */
async function make(why, more) {
  const publicKey = kind.parseCreationOptionsFromJSON(await post("/api/me/passkeys/new", { why, ...more }));
  return /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey })).toJSON();
}

/** @type {(why: string, more?: object) => Promise<object>} */
async function use(why, more) {
  const publicKey = kind.parseRequestOptionsFromJSON(await post("/api/me/passkeys/ask", { why, ...more }));
  return /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey })).toJSON();
}

/** @type {Record<string, (fields: Record<string, HTMLInputElement>) => Promise<Done | void>>} */
const acts = {
  async claim({ name }) {
    await post("/api/me/passkeys/claim", { name: name.value, made: await make("claim", { name: name.value }) });
  },
  async "sign-in"({ bring }) {
    await post("/api/me/passkeys/sign-in", { answer: await use("sign-in"), bring: bring.checked });
  },
  async add({ password }) {
    const proof = password ? { password: password.value } : { answer: await use("add") };
    await post("/api/me/passkeys/add", { made: await make("add", proof) });
  },
  async remove({ id }) {
    await post("/api/me/passkeys/remove", { id: id.value, answer: await use("remove", { id: id.value }) });
  },
  async password(fields) {
    await post("/api/me/password", { new: fields.new.value, answer: await use("password") });
  },
  async mail({ kind: way, address, digest, zone }) {
    const more = digest ? { digest: digest.checked, zone: zone.value } : {};
    await post("/api/me/told", { kind: way.value, address: address.value, ...more, answer: await use("mail") });
  },
  async recovery() {
    await post("/api/me/told/recovery/end", { answer: await use("mail") });
  },
  async token({ name, play, read }) {
    return post("/api/me/tokens/new", { name: name.value, play: play.checked, read: read.checked, answer: await use("token") });
  },
  async delete() {
    await post("/api/me/delete", { answer: await use("delete") });
  },
};

/** @type {(problem: unknown) => string} */
function words(problem) {
  if (problem instanceof Refusal || problem instanceof TypeError) return explain(problem);
  const { name } = /** @type {Error} */ (problem);
  if (name === "InvalidStateError") return "This device already has a passkey of yours. Nothing changed.";
  if (name === "NotAllowedError") return "Nothing changed: you chose no passkey, or this device has none for this site.";
  return "This browser can’t use a passkey right now. Nothing changed.";
}

for (const one of document.querySelectorAll("[data-passkeys]")) one.hidden = !here(one.dataset.passkeys);
for (const one of document.querySelectorAll("[data-no-passkeys]")) one.hidden = here(one.dataset.noPasskeys);

// Runs before other handlers: two of these forms can also be sent without a passkey, by another button.
document.addEventListener("submit", async (event) => {
  const form = event.target, fields = /** @type {Fields<string>} */ (form.elements), what = event.submitter?.dataset.passkey ?? form.dataset.passkey;
  if (!what) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (what === "claim" && !fields.name.reportValidity()) return;
  const button = /** @type {HTMLButtonElement} */ (event.submitter ?? form.querySelector("button"));
  button.disabled = true;
  try {
    const answer = await acts[what](fields);
    if (answer) return show(form, answer);
    history.replaceState(null, "", form.dataset.then ?? location.pathname); // the part after # names what was done
    location.reload();
  } catch (problem) {
    say(button, words(problem));
  } finally {
    button.disabled = false;
  }
}, true);
