// One of several tabs on one run. Each answers every question it sees, in its own way, and reports in the end which answers are stored.
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { longWorkflows, longRunExecutor } from "../../support/long-run.ts";
import { tell } from "./tell.ts";

const SHORT_MS = 20;
const by = crypto.randomUUID();
const workflows = longWorkflows({ rounds: 6, parallel: 2, delayMs: SHORT_MS });
const executor = longRunExecutor({ by, tell, store: indexedDbStore({ name: "together" }) }, workflows);

const run = await executor
  .open("run_shared")
  .catch(() => executor.start("long", {}, { id: "shared" }))
  .catch(() => executor.open("run_shared"));
run.subscribe(() => {});
void run.resume().catch(() => {});

while (run.getSnapshot().status !== "completed") {
  for (const { id: pause } of run.getSnapshot().pauses) {
    const response = `${pause} by ${by}`;
    const result = await run.answer(pause, response);
    if (result.status !== "failure") await tell({ type: "answered", run: run.id, pause, by, response });
  }
  await new Promise((resolve) => setTimeout(resolve, SHORT_MS * Math.random()));
}

// As a reader sees it who had no part in it.
const reader = await longRunExecutor({ by, tell, store: indexedDbStore({ name: "together" }) }, workflows).open(run.id);
const answers = (await reader.answers()).map(({ pause, answer }) => [pause, answer]);
await tell({ type: "finished", run: run.id, by: JSON.stringify(Object.fromEntries(answers)) });
document.title = "completed";
