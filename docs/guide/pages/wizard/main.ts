import { createExecutor } from "wavepoint";
import { questionHistory } from "wavepoint/browser";
import { define } from "wavepoint/elements";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import yaml from "./trip.yaml?raw";

define();
const executor = createExecutor({ store: indexedDbStore({ name: "trips" }), workflows: [loadWorkflow(yaml)] });

// Go on with the newest run if it has not ended, else start one.
const [last] = (await executor.runs.list({ workflow: "trip", limit: 1 })).items;
const goesOn = last?.status === "running" || last?.status === "paused";
const run = goesOn ? await executor.open(last.id) : await executor.start("trip");

// The element lets it go on, and shows what keeps it from that.
const wizard = document.querySelector("wavepoint-run")!;
wizard.run = run;

// The browser's Back is the question before.
questionHistory(run);
