import type { Executor, RunHead } from "wavepoint";
import { LIVE_RUN } from "./hero/live-run-id.ts";

/** Runs that the list shows at first, and that each "older" adds. */
const RUNS_PAGE = 20;

/** Between two readings, in milliseconds: while blocks execute, a run changes with each frame. */
const REST_MS = 250;

/** The list of runs as the store has it. */
export interface RunsFeed {
  readonly runs: readonly RunHead[];
  /** Whether there are older runs. */
  readonly hasMore: boolean;
  refresh(): Promise<void>;
  showMore(): Promise<void>;
}

/** Follows the runs that people started, newest first: not those that another run called, nor the one that the first page shows. */
export function createRunsFeed(
  executor: Executor,
  { onChange, onProblem }: { onChange(): void; onProblem(thrown: unknown): void },
): RunsFeed {
  let runs: readonly RunHead[] = [];
  let hasMore = false;
  let limit = RUNS_PAGE;
  let reading: Promise<void> | undefined;
  let rested = Promise.resolve();
  let isStale = false;
  return {
    get runs() {
      return runs;
    },
    get hasMore() {
      return hasMore;
    },
    refresh,
    showMore() {
      limit += RUNS_PAGE;
      return refresh();
    },
  };

  /** Reads one list at a time, however often it is called meanwhile. */
  function refresh(): Promise<void> {
    isStale = true;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function read(): Promise<void> {
    while (isStale) {
      await rested;
      rested = new Promise((resolve) => setTimeout(resolve, REST_MS));
      isStale = false;
      try {
        const page = await executor.runs.list({ topLevel: true, limit });
        runs = page.items.filter(({ id }) => id !== LIVE_RUN);
        hasMore = page.next !== undefined;
        onChange();
      } catch (thrown) {
        onProblem(thrown);
      }
    }
  }
}
