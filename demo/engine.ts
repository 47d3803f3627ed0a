import type { Executor, Store, Workflow } from "wavepoint";
import { workerExecutor } from "wavepoint/worker";
import { askSecret } from "./ask-secret.ts";
import { createEventLog, type EventLog } from "./engine/event-log.ts";
import { NO_FAULTS, type Faults } from "./engine/faults.ts";
import { isOfDemo, type AskedSecret, type ToDemoWorker } from "./engine/messages.ts";
import { openDemoStore } from "./storage.ts";

/** What executes the runs of the page. */
export interface Engine {
  readonly executor: Executor;
  /** Whether what runs here outlives the page. */
  readonly durable: boolean;
  /** The store itself, without faults, to look at; everything else goes through the executor. */
  readonly store: Store;
  /** What the executor of this page told, newest last. */
  readonly log: EventLog;
  readonly faults: Faults;
  /** From now on this goes wrong, and nothing else. */
  pretend(faults: Faults): void;
  /** Ends the worker in the middle of its work, as a crash would. Absent where there is none. */
  kill?(): void;
  /** From now on runs may have agents. */
  equip(): void;
  /** How many workers were made: each begins with nothing but what is stored. */
  readonly workers: number;
  /** From now on these are the workflows that start; runs under way keep the definition they have. */
  use(workflows: readonly Workflow[]): Promise<void>;
}

interface EngineOptions {
  readonly workflows: readonly Workflow[];
  /** Resolves once the person has read that the browser lost the runs. */
  readyToBeginAnew(): Promise<void>;
}

/** Opens the store of the page, and has a worker execute its runs: the page stays responsive while they execute. */
export async function openEngine({ workflows, readyToBeginAnew }: EngineOptions): Promise<Engine> {
  const store = await openDemoStore(readyToBeginAnew);
  return store.durable ? inWorker(store, workflows) : inPage(store, workflows);
}

function inWorker(store: Store, first: readonly Workflow[]): Engine {
  const log = createEventLog();
  let workflows = first;
  let faults = NO_FAULTS;
  let worker: Worker | undefined;
  let agents = false;
  let workers = 0;
  const executor = workerExecutor(makeWorker, { onEvent: (event) => log.add(event) });
  return {
    executor,
    durable: true,
    store,
    log,
    get faults() {
      return faults;
    },
    pretend(next) {
      faults = next;
      if (worker) say(worker, { demo: "faults", faults });
    },
    kill: () => executor.terminate(),
    get workers() {
      return workers;
    },
    equip() {
      if (agents) return;
      agents = true;
      // Block types are given to an executor when it is made.
      if (worker) executor.terminate();
    },
    async use(next) {
      const isSame = JSON.stringify(next) === JSON.stringify(workflows);
      workflows = next;
      if (isSame) return;
      // An executor keeps the definitions it was made with, so another one is made; what it was about begins again there.
      executor.terminate();
    },
  };

  function makeWorker(): Worker {
    const made = new Worker(new URL("./engine.worker.ts", import.meta.url), { type: "module", name: "wavepoint" });
    made.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (isOfDemo<AskedSecret>(data)) void answerSecret(made, data);
    });
    say(made, { demo: "begin", workflows, faults, agents });
    workers += 1;
    worker = made;
    return made;
  }
}

async function answerSecret(worker: Worker, { number, name }: AskedSecret): Promise<void> {
  say(worker, { demo: "secret", number, value: await askSecret(name) });
}

function say(worker: Worker, message: ToDemoWorker): void {
  worker.postMessage(message);
}

/** Where the browser keeps nothing, a worker could not see what the page has in memory: all of it stays in the page. */
async function inPage(store: Store, workflows: readonly Workflow[]): Promise<Engine> {
  const { makeDemoExecutor } = await import("./engine/make-executor.ts");
  const log = createEventLog();
  let faults = NO_FAULTS;
  const executor = await makeDemoExecutor({
    store,
    workflows,
    agents: true,
    secrets: askSecret,
    faults: () => faults,
    onEvent: (event) => log.add(event),
  });
  return {
    executor,
    durable: false,
    store,
    log,
    get faults() {
      return faults;
    },
    pretend(next) {
      faults = next;
    },
    workers: 0,
    equip() {},
    async use(changed) {
      for (const workflow of changed) await executor.load(workflow);
    },
  };
}
