import type { Run } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { serveExecutor } from "wavepoint/worker";
import { busyExecutor } from "./busy.ts";

const executor = busyExecutor(memoryStore(), [100, 1_000]);
const given: WeakRef<Run>[] = [];
const start = executor.start.bind(executor) as (workflow: string) => Promise<Run>;
executor.start = (async (workflow: string) => {
  const run = await start(workflow);
  given.push(new WeakRef(run));
  return run;
}) as typeof executor.start;
serveExecutor(executor);

// Beside the executor: how many of the runs it gave are still in memory.
self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (data !== "count") return;
  (globalThis as unknown as { gc(): void }).gc();
  postMessage({ alive: given.filter((run) => run.deref()).length });
});
