import { createExecutor, type CheckpointPolicy, type Executor, type Store, type Workflow } from "wavepoint";
import { fakeHost } from "wavepoint/testing";
import { goldenBlocks } from "./golden-blocks.ts";
import type { OpenProcess } from "./golden-cases.ts";

export interface ProcessOptions {
  /** Each process begins on a day of its own, from which its ids follow too. */
  readonly day: number;
  readonly mended: boolean;
  readonly policy?: CheckpointPolicy | undefined;
}

/** Processes over one store, each begun a day after the one before. Their clocks jump on to whatever is waited for. */
export function processesOver(store: Store, { day, mended, policy }: ProcessOptions): OpenProcess {
  let next = day;
  return (...workflows: readonly Workflow[]): Executor => {
    const host = fakeHost({ seed: next, startAt: Date.UTC(2026, 0, next), autoAdvance: true });
    next += 1;
    return createExecutor({
      store,
      workflows,
      blocks: goldenBlocks({ mended }),
      host,
      migrate: () => ({ blocks: { old: "new" } }),
      ...(policy ? { policy } : {}),
    });
  };
}
