import type { Run, RunView, Values } from "wavepoint";

/** The run a page shows, with what its view leaves out. */
export interface WatchedRun {
  readonly run: Run;
  /** What finished blocks gave, by block id. */
  readonly outputs: ReadonlyMap<string, Values>;
  close(): void;
}

/** How long a reading is enough while blocks work, in milliseconds. */
const REST_MS = 250;

interface WatchOptions {
  onView(view: RunView): void;
  /** What its view leaves out was read. */
  onOutputs(): void;
  onProblem(thrown: unknown): void;
}

/** Follows an opened run: its view as it changes, and its outputs after each change, one reading at a time. */
export function watchRun(run: Run, { onView, onOutputs, onProblem }: WatchOptions): WatchedRun {
  let outputs: ReadonlyMap<string, Values> = new Map();
  let isReading = false;
  let isStale = false;
  let isClosed = false;

  const unsubscribe = run.subscribe((view) => {
    onView(view);
    isStale = true;
    if (!isReading) void read();
  });

  return {
    run,
    get outputs() {
      return outputs;
    },
    close() {
      isClosed = true;
      unsubscribe();
    },
  };

  async function read(): Promise<void> {
    isReading = true;
    try {
      while (isStale && !isClosed) {
        isStale = false;
        const steps = await run.steps();
        outputs = new Map(steps.flatMap((step) => (step.outputs && step.item === undefined ? [[step.block, step.outputs] as const] : [])));
        if (!isClosed) onOutputs();
        if (run.getSnapshot().status === "running") await new Promise((resolve) => setTimeout(resolve, REST_MS));
      }
    } catch (thrown) {
      if (!isClosed) onProblem(thrown);
    } finally {
      isReading = false;
    }
  }
}
