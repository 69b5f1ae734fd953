// The tempo that a form says (templates/time.html), null for no clock.
export function tempo(data) {
  const said = data.get("tempo");
  if (said === "own") return { bank: 60 * data.get("bank"), increment: +data.get("increment"), delay: +data.get("delay") };
  if (!said?.startsWith("{")) return said || null; // a name: each game has its own times for it
  const made = JSON.parse(said), off = data.getAll("off").map(Number);
  return made.delay < 3600 || !off.length ? made : { ...made, off, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
