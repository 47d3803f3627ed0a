import { createExecutor } from "wavepoint";
import { keepStorage } from "wavepoint/browser";
import { define, type WavepointRun } from "wavepoint/elements";
import { allowHosts } from "wavepoint/network";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import yaml from "./inspection.yaml?raw";

define();
const { origin } = location;
const store = indexedDbStore({ name: "inspections" });
const executor = createExecutor({ store, workflows: [loadWorkflow(yaml)], grants: { network: allowHosts([origin]) } });

// Reports that were not sent when the page was closed go on by themselves.
const { items } = await executor.runs.list({ workflow: "inspection", status: "running" });
for (const { id } of items) void (await executor.open(id)).resume();

const [open] = (await executor.runs.list({ workflow: "inspection", status: "paused", limit: 1 })).items;
const run = open ? await executor.open(open.id) : await executor.start("inspection", { service: origin });
document.querySelector<WavepointRun>("wavepoint-run")!.run = run;
