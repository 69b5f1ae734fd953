// Folds open where the address names them, or something in them; and once their form was sent. On a tablet and a
// desk those that have room are open: the stylesheet shows them, and this lets those who hear the page know.
for (const form of document.querySelectorAll(".fold[id] form:not([data-then])")) form.setAttribute("data-then", `${location.pathname}#${form.closest(".fold")?.id}`);
if (matchMedia("(min-width: 48rem)").matches) {
  for (const one of document.querySelectorAll(".fold.roomy")) one.setAttribute("open", "");
}

function unfold() {
  const named = document.getElementById(location.hash.slice(1));
  for (let one = named?.closest("details"); one; one = one.parentElement?.closest("details")) one.open = true;
  if (named?.closest(".fold")) (named.querySelector("summary") ?? named).scrollIntoView(); // a fold may have no box of its own
}
addEventListener("hashchange", unfold);
unfold();
