import { createExecutor, type Executor, type Workflow } from "wavepoint";
import { askSecret } from "./ask-secret.ts";
import { pageGrants } from "./grants.ts";
import { openDemoStore } from "./storage.ts";

/** What executes the runs of the page. */
export interface Engine {
  readonly executor: Executor;
  /** Whether what runs here outlives the page. */
  readonly durable: boolean;
}

interface EngineOptions {
  readonly workflows: readonly Workflow[];
  /** Resolves once somebody has read that the browser lost the runs. */
  readyToBeginAnew(): Promise<void>;
}

/** Opens the store and the executor of the page. */
export async function openEngine({ workflows, readyToBeginAnew }: EngineOptions): Promise<Engine> {
  const store = await openDemoStore(readyToBeginAnew);
  return { executor: createExecutor({ store, workflows, grants: pageGrants(), secrets: askSecret }), durable: store.durable };
}
