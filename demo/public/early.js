// What has to be known before the page is drawn: light or dark as it was chosen, and whether another page than the first is asked for.
try {
  const chosen = localStorage.getItem("wavepoint-demo:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing for this page refuses even to be asked.
}
if (location.hash.length > 2) document.documentElement.dataset.page = "inner";
