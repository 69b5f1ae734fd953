// Before the first paint: what this person prefers. A page that is the same for everybody goes by the last that was theirs.
{
  const { dataset } = document.documentElement;
  try {
    if ("mine" in dataset) localStorage.setItem("parlour-mine", JSON.stringify(dataset));
    else Object.assign(dataset, JSON.parse(localStorage.getItem("parlour-mine")));
  } catch {} // storage may be refused
}
