// Folds open where the address names them, or something in them; and once their form was sent. Where there is
// room for one it is open: the stylesheet shows it and says so (--open), and this lets those who hear the page know.
for (const form of document.querySelectorAll(".fold[id] form:not([data-then])")) form.setAttribute("data-then", `${location.pathname}#${form.closest(".fold")?.id}`);
for (const one of document.querySelectorAll(".fold:is(.roomy, .division)")) if (getComputedStyle(one).getPropertyValue("--open")) one.setAttribute("open", "");

function unfold() {
  const named = document.getElementById(location.hash.slice(1));
  for (let one = named?.closest("details"); one; one = one.parentElement?.closest("details")) one.open = true;
  if (named?.closest(".fold")) (named.querySelector("summary") ?? named).scrollIntoView(); // a fold may have no box of its own
}
addEventListener("hashchange", unfold);
unfold();
