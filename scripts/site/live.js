// @ts-check
// Runs the samples of the documents on their page. Built by live-bundle.mjs.
import { createExecutor } from "wavepoint";
import { define } from "wavepoint/elements";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";

const store = indexedDbStore({ name: "wavepoint-docs" });

/**
 * Shows a workflow as a wizard: the run of it that has not ended, else a new one.
 * @param {HTMLElement} stage
 * @param {string} text
 */
export async function runSample(stage, text) {
  define();
  const workflow = loadWorkflow(text);
  const executor = createExecutor({ store, workflows: [workflow] });
  const { items } = await executor.runs.list({ workflow: workflow.name, status: ["running", "paused"], limit: 1 });
  const wizard = document.createElement("wavepoint-run");
  const start = async () => {
    wizard.run = await executor.start(workflow.name);
  };
  if (items[0]) {
    const run = await executor.open(items[0].id);
    void run.resume();
    wizard.run = run;
  } else {
    await start();
  }
  const note = document.createElement("p");
  note.textContent = "Answer a question, then reload this page. ";
  const again = document.createElement("button");
  Object.assign(again, { type: "button", textContent: "Start over" });
  again.addEventListener("click", async () => {
    await wizard.run?.cancel();
    await start();
  });
  note.append(again);
  stage.replaceChildren(wizard, note);
}
