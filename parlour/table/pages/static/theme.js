// Before the first paint: the theme that was chosen, if any. Storage may be refused.
try {
  const chosen = localStorage.getItem("parlour-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {}
