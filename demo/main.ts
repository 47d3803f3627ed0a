import { render } from "lit-html";
import { startApp } from "./app.ts";
import { openEngine } from "./engine.ts";
import { loadExamples } from "./examples.ts";
import { openOwnWorkflows } from "./own-workflows.ts";
import { problemText } from "./problem-text.ts";

const root = document.getElementById("app");
const announcer = document.getElementById("announcer");
if (!root || !announcer) throw new Error("The page lacks its #app or #announcer element.");

// No "await" at the top: parts that are loaded later import from this file, and would wait for it while it waits for them.
void openPage(root, announcer);

async function openPage(root: HTMLElement, announcer: HTMLElement): Promise<void> {
  const elements = defineElements();
  // Where the page itself cannot be opened, that is what is said.
  elements.catch(() => undefined);
  try {
    const own = openOwnWorkflows();
    const examples = loadExamples();
    await examples.takeOwn(own.sources.values());
    const engine = await openEngine({ workflows: examples.runnable, readyToBeginAnew: () => tellOfLoss(root) });
    startApp({ engine, own, examples, elements, root, announcer });
  } catch (thrown) {
    const message = document.createElement("p");
    message.className = "notice problem";
    message.setAttribute("role", "alert");
    message.textContent = problemText(thrown);
    root.replaceChildren(message);
  }
}

/** Resolves when the person has read that the runs are gone and wants to start again. */
async function tellOfLoss(root: HTMLElement): Promise<void> {
  const { lostRuns } = await import("./parts/lost-runs.ts");
  return new Promise((resolve) => {
    // The page that follows is drawn into the root itself.
    const holder = document.createElement("div");
    root.replaceChildren(holder);
    render(lostRuns(resolve), holder);
    holder.querySelector("h1")?.focus();
  });
}

/** Nothing of them is seen before a run or a form is opened. */
async function defineElements(): Promise<void> {
  const [{ define }, { defineForeignQuestion }] = await Promise.all([import("wavepoint/elements"), import("./foreign-question.ts")]);
  define();
  defineForeignQuestion();
}
