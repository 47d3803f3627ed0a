import {
  createExecutor,
  type CheckpointPolicy,
  type Executor,
  type Migrate,
  type SecretsProvider,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost, type FakeHost } from "wavepoint/testing";
import { workshop, type Workshop } from "../../support/workshop.ts";

export interface StageOptions {
  readonly migrate?: Migrate;
  readonly policy?: CheckpointPolicy;
  readonly secrets?: SecretsProvider;
}

/** A store, a clock and block types that are watched, for executors that have loaded one definition after another. */
export interface Stage {
  readonly store: Store;
  readonly host: FakeHost;
  readonly shop: Workshop;
  executorOf(...workflows: readonly Workflow[]): Executor;
}

export function setStage({ migrate, policy, secrets }: StageOptions = {}): Stage {
  const store = memoryStore();
  const host = fakeHost({ autoAdvance: true });
  const shop = workshop();
  const executorOf = (...workflows: readonly Workflow[]): Executor =>
    createExecutor({
      store,
      host,
      blocks: shop.blocks,
      workflows,
      ...(migrate ? { migrate } : {}),
      ...(policy ? { policy } : {}),
      ...(secrets ? { secrets } : {}),
    });
  return { store, host, shop, executorOf };
}

/** The id of a run's question with this number. */
export function pauseOf(run: string, number = 0): string {
  return `pause_${run.slice("run_".length)}.${number}`;
}

/** All that a store has of a run. */
export async function storedOf(store: Store, run: string): Promise<unknown> {
  return { head: await store.head(run), entries: await store.read(run), notes: await store.notes(run) };
}
