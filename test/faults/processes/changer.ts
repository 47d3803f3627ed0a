import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { createExecutor, isWorkflowError, type Run, type Store } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { firstOpen, ORDERS } from "../../support/orders.ts";
import { putService } from "../../support/put-service.ts";

// A process that acts as a person with an order: it gives answers and changes them. It kills itself at the write that its arguments name. Every
// line of the ledger is on the disk before it goes on: what the service received, and which wishes are done.
const [directory, ledger, name, wishes, deadly = "0", when = "before"] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string?,
  string?,
];
const file = openSync(ledger, "a");

function write(line: object): void {
  appendFileSync(file, `${JSON.stringify({ by: name, ...line })}\n`);
  fsyncSync(file);
}

/** Ends this process before or after its n-th commit, as `kill -9` does. */
function deadlyStore(store: Store): Store {
  let commits = 0;
  return {
    ...store,
    async commit(commit) {
      commits += 1;
      const isDeadly = commits === Number(deadly);
      if (isDeadly && when === "before") process.kill(process.pid, "SIGKILL");
      await store.commit(commit);
      if (isDeadly) process.kill(process.pid, "SIGKILL");
      write({ commits });
    },
  };
}

/** The question of a path: one that waits, else the last one that was answered. */
async function pauseOf(run: Run, path: string): Promise<string> {
  const is = (one: { readonly path: readonly string[] }): boolean => one.path.join("/") === path;
  return run.getSnapshot().pauses.find(is)?.id ?? (await run.answers()).find(is)!.pause!;
}

async function open(): Promise<Run> {
  try {
    return await executor.start("order", {}, { id: "one" });
  } catch (error) {
    if (!isWorkflowError(error) || error.code !== "RUN_EXISTS") throw error;
    return executor.open("run_one");
  }
}

const service = putService((put) => write({ put }));
const store = deadlyStore(filesystemStore(directory));
const executor = createExecutor({ store, workflows: ORDERS, blocks: service.blocks, policy: { durability: "sync" } });
const run = await open();
await run.resume();
for (const [index, [wish, path, answer]] of (JSON.parse(wishes) as [string, string, string][]).entries()) {
  if (wish === "answer") await executor.answer(await pauseOf(run, path), answer);
  else if (wish === "revise") await run.revise(await pauseOf(run, path), answer);
  else for (let open = firstOpen(run); open; open = firstOpen(run)) await run.answer(open.id, answer);
  await run.settled();
  write({ done: index });
}
const { status, outputs } = run.getSnapshot();
write({ status, outputs });
closeSync(file);
await executor.close();
await store.close();
