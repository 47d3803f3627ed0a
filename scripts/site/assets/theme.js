// @ts-check
// Before the page is drawn: light or dark as it was chosen here or in the demo, which stands beside the documents, else as the system says.
// And that scripts run here: what they fill in keeps its place until then.
document.documentElement.dataset.scripts = "";
try {
  const chosen = localStorage.getItem("wavepoint-demo:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing for this page refuses even to be asked.
}
