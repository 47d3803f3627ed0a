import type { Executor, Store, Workflow } from "wavepoint";
import { askSecret } from "./ask-secret.ts";
import { createEventLog, type EventLog } from "./engine/event-log.ts";
import { NO_FAULTS, type Faults } from "./engine/faults.ts";
import { makeDemoExecutor } from "./engine/make-executor.ts";
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
  /** Ends the worker in the middle of whatever it does, as a crash would. Absent where there is none. */
  kill?(): void;
  /** From now on these are the workflows that start; runs under way keep the definition they have. */
  use(workflows: readonly Workflow[]): Promise<void>;
}

interface EngineOptions {
  readonly workflows: readonly Workflow[];
  /** Resolves once somebody has read that the browser lost the runs. */
  readyToBeginAnew(): Promise<void>;
}

/** Opens the store and the executor of the page. */
export async function openEngine({ workflows, readyToBeginAnew }: EngineOptions): Promise<Engine> {
  const store = await openDemoStore(readyToBeginAnew);
  const log = createEventLog();
  let faults = NO_FAULTS;
  const executor = makeDemoExecutor({ store, workflows, secrets: askSecret, faults: () => faults, onEvent: (event) => log.add(event) });
  return {
    executor,
    durable: store.durable,
    store,
    log,
    get faults() {
      return faults;
    },
    pretend(next) {
      faults = next;
    },
    async use(changed) {
      for (const workflow of changed) await executor.load(workflow);
    },
  };
}
