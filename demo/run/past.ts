import type { CheckpointInfo, Executor, ListedCheckpoint, Run, RunTree } from "wavepoint";

/** The newest checkpoints of a run that can be looked at. */
const LISTED = 60;

/** How long a reading is enough while blocks work, in milliseconds. */
const REST_MS = 500;

/** The checkpoints of a run, the runs that were forked from it, and the moment that is shown of it. */
export interface Past {
  /** Oldest first. */
  readonly checkpoints: readonly ListedCheckpoint[];
  readonly forks: readonly RunTree[];
  /** How many checkpoints are before the moment that is chosen; all of them where the run is shown as it stands now. */
  readonly place: number;
  /** The state at the moment that is chosen, once it was read; nothing where that is now. */
  readonly shown: CheckpointInfo | undefined;
  /** Shows the run as it stood at a checkpoint, or as it stands now. */
  look(place: number): void;
  close(): void;
}

interface PastOptions {
  onChange(): void;
  onProblem(thrown: unknown): void;
}

/** Follows the past of a run: reads it again after each change, one reading at a time. */
export function followPast(run: Run, executor: Executor, { onChange, onProblem }: PastOptions): Past {
  let checkpoints: readonly ListedCheckpoint[] = [];
  let forks: readonly RunTree[] = [];
  /** The checkpoint that is chosen. */
  let chosen: string | undefined;
  let shown: CheckpointInfo | undefined;
  let isReading = false;
  let isStale = false;
  let isClosed = false;
  const read = new Map<string, CheckpointInfo>();
  const unsubscribe = run.subscribe(refresh);
  // Forks are made in other tabs too, and change nothing in this run.
  const unwatch = executor.runs.watch(refresh);

  return {
    get checkpoints() {
      return checkpoints;
    },
    get forks() {
      return forks;
    },
    get place() {
      const place = checkpoints.findIndex(({ id }) => id === chosen);
      return place === -1 ? checkpoints.length : place;
    },
    get shown() {
      return shown;
    },
    look(place) {
      chosen = checkpoints[place]?.id;
      shown = chosen === undefined ? undefined : read.get(chosen);
      onChange();
      if (chosen !== undefined && !shown) void show(chosen);
    },
    close() {
      isClosed = true;
      unsubscribe();
      unwatch();
    },
  };

  function refresh(): void {
    isStale = true;
    if (!isReading) void readAll();
  }

  async function readAll(): Promise<void> {
    isReading = true;
    try {
      while (isStale && !isClosed) {
        isStale = false;
        const { items } = await executor.checkpoints.list({ run: run.id, limit: LISTED });
        const tree = await executor.runs.tree(run.id);
        checkpoints = items.toReversed();
        forks = branchOf(tree, run.id)?.forks ?? [];
        if (!isClosed) onChange();
        // While many blocks finish there is a checkpoint after each wave.
        if (run.getSnapshot().status === "running") await new Promise((resolve) => setTimeout(resolve, REST_MS));
      }
    } catch (thrown) {
      if (!isClosed) onProblem(thrown);
    } finally {
      isReading = false;
    }
  }

  async function show(checkpoint: string): Promise<void> {
    try {
      const info = await executor.checkpoints.get(checkpoint);
      read.set(checkpoint, info);
      if (isClosed || chosen !== checkpoint) return;
      shown = info;
      onChange();
    } catch (thrown) {
      if (!isClosed) onProblem(thrown);
    }
  }
}

function branchOf(tree: RunTree, run: string): RunTree | undefined {
  if (tree.run === run) return tree;
  for (const fork of tree.forks) {
    const found = branchOf(fork, run);
    if (found) return found;
  }
  return undefined;
}
