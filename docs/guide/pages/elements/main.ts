import { createExecutor, type Run } from "wavepoint";
import { define } from "wavepoint/elements";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import yaml from "./seat.yaml?raw";

define();
const workflow = loadWorkflow(yaml);
const executor = createExecutor({ store: indexedDbStore({ name: "seats" }), workflows: [workflow] });

const wizard = document.querySelector("wavepoint-run")!;
const waves = document.querySelector("wavepoint-waves")!;
const past = document.querySelector("wavepoint-history")!;
waves.workflow = workflow;
past.executor = executor;

function show(run: Run): void {
  wizard.run = run;
  waves.run = run;
  past.run = run;
}

// A run that was opened or forked in the history.
document.addEventListener("wavepoint-run-changed", ({ detail }) => show(detail.run));
document.addEventListener("wavepoint-problem", ({ detail }) => reportError(detail.error));
show(await executor.start("seat"));
