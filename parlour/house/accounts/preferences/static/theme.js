// Sets the preferences before the first paint, and notes a press that comes before the script it is for. A page that is the same for everyone uses the last ones stored here.
{
  const { dataset } = document.documentElement;
  try {
    if ("mine" in dataset) localStorage.setItem("parlour-mine", JSON.stringify(dataset));
    else Object.assign(dataset, JSON.parse(/** @type {string} */ (localStorage.getItem("parlour-mine"))));
  } catch {} // storage may be refused
  document.addEventListener("click", ({ target }) => (window.pressed = target), true);
}
