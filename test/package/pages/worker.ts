import { createExecutor } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import type { News, Order } from "./wizard-worker.ts";

/** What a test can call in a page whose workflows run in a worker. */
export interface WorkerPage {
  /** Runs a workflow in a worker, and answers what it asks by messages. */
  play(yaml: string, answers: Readonly<Record<string, string>>): Promise<News>;
  /** The statuses of the stored runs, read by the page itself. */
  stored(): Promise<readonly string[]>;
  /** Imports a module in a worker of its own; tells which globals that reads and makes. */
  importApart(
    module: string,
  ): Promise<{ readonly names: readonly string[]; readonly made: readonly string[]; readonly read: readonly string[] }>;
}

declare global {
  var workerPage: WorkerPage;
}

globalThis.workerPage = {
  play(yaml, answers) {
    const worker = new Worker(new URL("./wizard-worker.ts", import.meta.url), { type: "module" });
    const send = (order: Order): void => worker.postMessage(order);
    return new Promise((resolve, reject) => {
      worker.addEventListener("error", (event) => reject(new Error(event.message)));
      worker.addEventListener("message", ({ data }: MessageEvent<News>) => {
        if ("ended" in data || "failed" in data) resolve(data);
        else if (data.hasDocument) reject(new Error("This is no worker."));
        else send({ pause: data.asks.id, response: answers[data.asks.path[0]!]! });
      });
      send({ run: yaml });
    });
  },
  async stored() {
    const executor = createExecutor({ store: indexedDbStore({ name: "worker" }) });
    return (await executor.runs.list()).items.map(({ status }) => status);
  },
  importApart(module) {
    // By way of a variable: the bundler leaves this worker and what it imports alone.
    const script = "/import-in-worker.mjs";
    const worker = new Worker(script, { type: "module" });
    return new Promise((resolve, reject) => {
      worker.addEventListener("error", (event) => reject(new Error(event.message || "The worker could not be loaded.")));
      worker.addEventListener("message", ({ data }) => resolve(data as Awaited<ReturnType<WorkerPage["importApart"]>>));
      worker.postMessage(module);
    });
  },
};
