import { createExecutor } from "wavepoint";
import { define } from "wavepoint/elements";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import yaml from "./visit.yaml?raw";

define();
const executor = createExecutor({ store: indexedDbStore({ name: "visits" }), workflows: [loadWorkflow(yaml)] });

// Go on with the newest run if it has not ended, else start one.
const [last] = (await executor.runs.list({ workflow: "visit", limit: 1 })).items;
const goesOn = last?.status === "running" || last?.status === "paused";
document.querySelector("wavepoint-run")!.run = goesOn ? await executor.open(last.id) : await executor.start("visit");
