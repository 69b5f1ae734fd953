// The tempo that a form says (templates/time.html), null for no clock.
/** @type {(data: FormData) => Tempo} */
export function tempo(data) {
  const said = /** @type {string | null} */ (data.get("tempo"));
  /** @type {(name: string) => number} */
  const number = (name) => Number(data.get(name));
  if (said === "own") return { bank: 60 * number("bank"), increment: number("increment"), delay: number("delay") };
  if (!said?.startsWith("{")) return said || null; // a name: each game has its own times for it
  const made = JSON.parse(said), off = data.getAll("off").map(Number);
  return made.delay < 3600 || !off.length ? made : { ...made, off, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
