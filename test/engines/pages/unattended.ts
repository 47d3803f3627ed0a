// A page that goes on by itself, as soon as it is opened: a browser without a driver can be killed like that of a user.
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { findOrStart, finishRun, longRunExecutor, longWorkflows, watchStore } from "../../support/long-run.ts";
import { tell } from "./tell.ts";

const NAME = "long-run";
const by = crypto.randomUUID();
const workflows = longWorkflows({ rounds: 12, parallel: 3, delayMs: 60 });
const worker = { by, tell, store: indexedDbStore({ name: NAME }) };

const run = await findOrStart(longRunExecutor(worker, workflows));
await tell({ type: "ready", run: run.id, by });
void watchStore(indexedDbStore({ name: NAME }), worker, { workflows, stopped: () => false });
document.title = (await finishRun(run, worker)).status;
