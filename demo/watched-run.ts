import type { CheckpointInfo, Executor, ReviewItem, Run, RunTree, RunView, Values } from "wavepoint";

/** Checkpoints that the page lists for a run. */
const LISTED_CHECKPOINTS = 50;

/** The run a page shows, with what its view leaves out. */
export interface WatchedRun {
  readonly run: Run;
  /** What finished blocks gave, by block id. */
  readonly outputs: ReadonlyMap<string, Values>;
  /** Newest first. */
  readonly checkpoints: readonly CheckpointInfo[];
  /** Its questions with their answers, in the order of the plan. */
  readonly review: readonly ReviewItem[];
  /** The run it began as, with all that was forked from there. */
  readonly tree: RunTree | undefined;
  /** Reads all of that again. */
  reload(): Promise<void>;
  close(): void;
}

interface WatchOptions {
  onView(view: RunView): void;
  /** What its view leaves out was read. */
  onDetails(): void;
  onProblem(thrown: unknown): void;
}

/** Follows an opened run: its view as it changes, and the rest after each change, one reading at a time. */
export function watchRun(executor: Executor, run: Run, { onView, onDetails, onProblem }: WatchOptions): WatchedRun {
  let outputs: ReadonlyMap<string, Values> = new Map();
  let checkpoints: readonly CheckpointInfo[] = [];
  let review: readonly ReviewItem[] = [];
  let tree: RunTree | undefined;
  let reading: Promise<void> | undefined;
  let stale = false;
  let closed = false;

  const unsubscribe = run.subscribe((view) => {
    onView(view);
    void reload();
  });

  return {
    run,
    get outputs() {
      return outputs;
    },
    get checkpoints() {
      return checkpoints;
    },
    get review() {
      return review;
    },
    get tree() {
      return tree;
    },
    reload,
    close() {
      closed = true;
      unsubscribe();
    },
  };

  function reload(): Promise<void> {
    stale = true;
    reading ??= readWhileStale().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function readWhileStale(): Promise<void> {
    try {
      while (stale && !closed) {
        stale = false;
        const steps = await run.steps();
        outputs = new Map(steps.flatMap((step) => (step.outputs && step.item === undefined ? [[step.block, step.outputs] as const] : [])));
        const { items } = await executor.checkpoints.list({ run: run.id, limit: LISTED_CHECKPOINTS });
        checkpoints = await Promise.all(items.map((item) => executor.checkpoints.get(item.id)));
        review = await run.answers();
        tree = await executor.runs.tree(run.id);
        if (!closed) onDetails();
      }
    } catch (thrown) {
      // The run may be deleted while it is read; then there is nothing left to show.
      if (!closed) onProblem(thrown);
    }
  }
}
