import { createExecutor } from "wavepoint";
import { keepStorage, storageState } from "wavepoint/browser";
import { define } from "wavepoint/elements";
import { allowHosts } from "wavepoint/network";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import yaml from "./inspection.yaml?raw";

define();
const store = indexedDbStore({ name: "inspections" });
const workflows = [loadWorkflow(yaml)];
const executor = createExecutor({ store, workflows, grants: { network: allowHosts([location.origin]) } });

// Reports that were not sent when the page was closed go on by themselves.
const unsent = await executor.runs.list({ workflow: "inspection", status: ["running", "failed"] });
for (const { id } of unsent.items) (await executor.open(id)).resume().catch(reportError);

// The form that was begun, else a new one.
const [begun] = (await executor.runs.list({ workflow: "inspection", status: "paused", limit: 1 })).items;
const run = begun ? await executor.open(begun.id) : await executor.start("inspection", { service: location.origin });
document.querySelector("wavepoint-run")!.run = run;

// A sentence that says what is kept, and the request to the browser not to throw it away.
const storage = storageState(store);
const tell = () => (document.querySelector("#storage")!.textContent = storage.getSnapshot().message);
storage.subscribe(tell);
tell();
void keepStorage(executor).then(() => storage.refresh());
