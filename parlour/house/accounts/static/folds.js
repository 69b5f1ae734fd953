// The page You: what is folded opens where the address names it, or something in it; and once its form was sent.
for (const form of document.querySelectorAll(".fold[id] form:not([data-then])")) form.setAttribute("data-then", `${location.pathname}#${form.closest(".fold")?.id}`);

function unfold() {
  const named = document.getElementById(location.hash.slice(1));
  for (let one = named?.closest("details"); one; one = one.parentElement?.closest("details")) one.open = true;
  if (named?.closest(".fold")) named.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
