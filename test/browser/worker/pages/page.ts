import type { Executor, Run } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { workerExecutor } from "wavepoint/worker";
import { busyExecutor } from "./busy.ts";

/** What came of blocks that kept some thread busy. */
export interface Busyness {
  readonly status: string;
  /** Tasks of the page of more than 50 ms, in milliseconds. */
  readonly longTasks: readonly number[];
  readonly views: number;
  readonly tookMs: number;
}

/** What a test can call in a page whose executor works in a worker. */
export interface WorkerTestPage {
  work(where: "worker" | "page", count: number): Promise<Busyness>;
  /** Starts runs and holds none; tells how many are in memory once they could be gone, in the page and in the worker. */
  letGo(count: number): Promise<{ readonly page: number; readonly worker: number }>;
  /** In a worker that several pages share. */
  startShared(): Promise<string>;
  answerShared(run: string): Promise<string>;
  /** Statuses of the run that this page began to share. */
  sharedStatus(): string;
  watchShared(): void;
  /** How many pages watch what they share, as the worker said last. */
  watching(): number;
  /** What the content security policy refused. */
  violations(): readonly string[];
}

declare global {
  var workerTestPage: WorkerTestPage;
}

const refused: string[] = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => refused.push(effectiveDirective));

let worker: Worker;
const executor = workerExecutor(() => (worker = new Worker(new URL("./busy-worker.ts", import.meta.url), { type: "module" })));
const here = (): Executor => busyExecutor(memoryStore(), [100, 1_000]);
const shared = workerExecutor(() => new SharedWorker(new URL("./shared-worker.ts", import.meta.url), { type: "module" }));
let sharedRun: Run;
let watching = 0;
new BroadcastChannel("watching").addEventListener("message", ({ data }: MessageEvent<number>) => (watching = data));

function aliveInWorker(): Promise<number> {
  return new Promise((resolve) => {
    const listen = ({ data }: MessageEvent<{ alive?: number }>): void => {
      if (data.alive === undefined) return;
      worker.removeEventListener("message", listen);
      resolve(data.alive);
    };
    worker.addEventListener("message", listen);
    worker.postMessage("count");
  });
}

globalThis.workerTestPage = {
  async work(where, count) {
    const longTasks: number[] = [];
    const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)));
    const executes = where === "worker" ? executor : here();
    await executes.metrics();
    observer.observe({ type: "longtask" });
    const began = performance.now();
    const run = await executes.start(`busy-${count}`);
    let views = 0;
    run.subscribe(() => (views += 1));
    const { status } = await run.settled();
    const tookMs = performance.now() - began;
    // What is observed is reported in a task of its own.
    await new Promise((resolve) => setTimeout(resolve, 100));
    observer.disconnect();
    return { status, longTasks, views, tookMs };
  },
  async letGo(count) {
    const runs: WeakRef<Run>[] = [];
    for (let i = 0; i < count; i++) runs.push(new WeakRef(await executor.start("ask")));
    const alive = (): number => runs.filter((run) => run.deref()).length;
    for (let tries = 0; tries < 20; tries++) {
      // Who looks at what a weak reference leads to holds it until the end of the task.
      await new Promise((resolve) => setTimeout(resolve, 20));
      gc!();
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (alive() <= 1) break;
    }
    let inWorker = await aliveInWorker();
    for (let tries = 0; tries < 50 && inWorker > 1; tries++) inWorker = await aliveInWorker();
    return { page: alive(), worker: inWorker };
  },
  async startShared() {
    sharedRun = await shared.start("ask");
    sharedRun.subscribe(() => {});
    return sharedRun.id;
  },
  async answerShared(id) {
    const run = await shared.open(id);
    const { pauses } = await run.settled();
    const { status } = await run.answer(pauses![0]!.id, "Ada");
    await shared.close();
    return status;
  },
  sharedStatus: () => sharedRun.getSnapshot().status,
  watchShared() {
    shared.runs.watch(() => {});
  },
  watching: () => watching,
  violations: () => refused,
};
