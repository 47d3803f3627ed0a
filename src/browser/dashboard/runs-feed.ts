import type { RunHead } from "../../core/model/run.ts";
import type { DamagedRun } from "../../core/ports/store.ts";
import type { Executor } from "../../core/run/run.ts";
import { planFind, type FindPlan } from "./find-runs.ts";
import type { RunsFilter } from "./route.ts";

/** Runs of a page. */
const PAGE = 50;
/** Runs that are asked for at once where most are not meant, and how many are looked at before a page is shown as it is. */
const BATCH = 500;
const MAX_LOOKED_AT = 5_000;
/** How long to wait between two readings, in milliseconds: runs may change many times in a second. */
const BETWEEN_MS = 1_000;

/** One page of a list of runs. */
export interface RunsPage {
  readonly items: readonly RunHead[];
  readonly damaged: readonly DamagedRun[];
  /** The number of the page, from 1. */
  readonly number: number;
  readonly hasNext: boolean;
  /** How many runs were looked at, where a text is looked for. */
  readonly lookedAt?: number;
}

/** A list of runs by pages. It stays true while it is shown. */
export interface RunsFeed {
  readonly page: RunsPage | undefined;
  readonly isReading: boolean;
  /** Shows the first page of those that a filter means. */
  show(filter: RunsFilter): void;
  next(): void;
  previous(): void;
  /** A run changed; with nothing, some may have. */
  changed(run: string | undefined): void;
  /** Reads the page again; rejects with nothing: what goes wrong is reported. */
  refresh(): Promise<void>;
}

interface FeedOptions {
  onChange(): void;
  onProblem(thrown: unknown): void;
  onAnswer(): void;
}

/** Makes a list of what an executor has. */
export function createRunsFeed(executor: Executor, { onChange, onProblem, onAnswer }: FeedOptions): RunsFeed {
  let plan: FindPlan = planFind({});
  let page: RunsPage | undefined;
  /** Where the pages up to the one that is shown begin; the first begins at nothing. */
  let starts: readonly (string | undefined)[] = [undefined];
  let following: string | undefined;
  let reading: Promise<void> | undefined;
  let isStale = false;
  let pause: ReturnType<typeof setTimeout> | undefined;

  return {
    get page() {
      return page;
    },
    get isReading() {
      return reading !== undefined;
    },
    show(filter) {
      plan = planFind(filter);
      page = undefined;
      starts = [undefined];
      void refresh();
    },
    next() {
      if (following === undefined) return;
      starts = [...starts, following];
      void refresh();
    },
    previous() {
      if (starts.length > 1) starts = starts.slice(0, -1);
      void refresh();
    },
    changed(run) {
      // Looking for a text again and again costs too much: only what is shown is kept true.
      if (plan.matches && !page?.items.some(({ id }) => id === run)) return;
      if (pause !== undefined) return;
      pause = setTimeout(() => {
        pause = undefined;
        void refresh();
      }, BETWEEN_MS);
    },
    refresh,
  };

  function refresh(): Promise<void> {
    isStale = true;
    reading ??= read().finally(() => {
      reading = undefined;
      onChange();
    });
    onChange();
    return reading;
  }

  async function read(): Promise<void> {
    while (isStale) {
      isStale = false;
      const asked = plan;
      const number = starts.length;
      try {
        const found = await readPage(executor, asked, starts.at(-1));
        // Meanwhile another filter or page was asked for.
        if (isStale) continue;
        following = found.next;
        page = {
          items: found.items,
          damaged: found.damaged,
          number,
          hasNext: found.next !== undefined,
          ...(asked.matches && { lookedAt: found.lookedAt }),
        };
        onAnswer();
      } catch (thrown) {
        onProblem(thrown);
      }
    }
  }
}

async function readPage(
  executor: Executor,
  { query, matches }: FindPlan,
  start: string | undefined,
): Promise<{
  readonly items: readonly RunHead[];
  readonly damaged: readonly DamagedRun[];
  readonly next?: string;
  readonly lookedAt: number;
}> {
  const items: RunHead[] = [];
  const damaged: DamagedRun[] = [];
  let next = start;
  let lookedAt = 0;
  do {
    const page = await executor.runs.list({ ...query, limit: matches ? BATCH : PAGE, ...(next !== undefined && { after: next }) });
    items.push(...(matches ? page.items.filter(matches) : page.items));
    damaged.push(...(page.damaged ?? []));
    lookedAt += page.items.length;
    next = page.next;
  } while (next !== undefined && items.length < PAGE && lookedAt < MAX_LOOKED_AT && (matches !== undefined || query.where !== undefined));
  return { items, damaged, lookedAt, ...(next !== undefined && { next }) };
}
