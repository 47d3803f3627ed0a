import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import type { Store } from "wavepoint";
import { openStore } from "wavepoint/store/open";
import { openPostgresStore } from "wavepoint/store/postgres";
import { openRedisStore } from "wavepoint/store/redis";
import { openS3Store } from "wavepoint/store/s3";
import { findOrStart, finishRun, longRunExecutor, longWorkflows, watchStore, type LongRunShape } from "../../support/long-run.ts";
import type { Testimony } from "../../support/witness.ts";

// A process that goes on with the run in a folder until it has ended, or until it is killed. Every line is on the disk before it goes on.
const [address, ledger, shape] = process.argv.slice(2) as [string, string, string];
const file = openSync(ledger, "a");
const by = String(process.pid);

function tell(line: Testimony): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  fsyncSync(file);
}

/** On a server, what a process that died or stands still held is free for others as soon as a store allows. */
function open(): Promise<Store> {
  const shortest = { leaseMs: 1_000 };
  switch (new URL(address).protocol) {
    case "postgres:":
      return openPostgresStore(address, shortest);
    case "redis:":
      return openRedisStore(address, shortest);
    case "s3:":
      return openS3Store(address, shortest);
    default:
      return openStore(address);
  }
}

/** Reports each time another process holds the run. */
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

const workflows = longWorkflows(JSON.parse(shape) as LongRunShape);
const store = tellingRefusals(await open());
const executor = longRunExecutor({ store, by, tell }, workflows);
const watching = await open();
let over = false;
const watcher = watchStore(watching, { by, tell }, { workflows, stopped: () => over });
const run = await findOrStart(executor);
tell({ type: "ready", run: run.id, by });
await finishRun(run, { store, by, tell });
over = true;
await watcher;
await executor.close();
await Promise.all([store.close(), watching.close()]);
closeSync(file);
