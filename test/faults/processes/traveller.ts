import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import type { Store } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { expedition, expeditionExecutor, findOrStart, travel, watchStore } from "../../support/expedition.ts";
import type { Testimony } from "../../support/witness.ts";

// A process that goes on with the expedition in a folder until it is over, or until it is killed. Every line is on the disk before it goes on.
const [directory, ledger, shape] = process.argv.slice(2) as [string, string, string];
const file = openSync(ledger, "a");
const by = String(process.pid);

function tell(line: Testimony): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  fsyncSync(file);
}

/** Tells each time somebody else is found to hold a run. */
function tellingRefusals(store: Store): Store {
  return {
    ...store,
    async claim(run) {
      const release = await store.claim(run);
      if (release === undefined) tell({ type: "refused", run, by });
      return release;
    },
  };
}

const workflows = expedition(JSON.parse(shape) as Parameters<typeof expedition>[0]);
const store = tellingRefusals(filesystemStore(directory));
const executor = expeditionExecutor({ store, by, tell }, workflows);
const watching = filesystemStore(directory);
let over = false;
const watcher = watchStore(watching, { by, tell }, { workflows, stopped: () => over });
const run = await findOrStart(executor);
tell({ type: "ready", run: run.id, by });
await travel(run, { store, by, tell });
over = true;
await watcher;
await executor.close();
await Promise.all([store.close(), watching.close()]);
closeSync(file);
