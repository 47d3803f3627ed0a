import type { CheckpointKind } from "../model/checkpoint.ts";
import type { StoreMetrics } from "../model/maintenance.ts";
import { allPages } from "../journal/journal.ts";
import type { Services } from "../run/run.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 604_800_000;

/** Items of one page. The lists are read side by side in short pages, so that a store that opens a run for its head still has it for its rows. */
const SIDE_BY_SIDE = 250;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** See `Executor.metrics`. */
export async function measure(services: Services): Promise<StoreMetrics> {
  const { store, host } = services;
  const now = host.now();
  const byWorkflow = new Map<string, { runs: number; checkpoints: number }>();
  const countsOf = (workflow: string): { runs: number; checkpoints: number } => {
    const known = byWorkflow.get(workflow) ?? { runs: 0, checkpoints: 0 };
    byWorkflow.set(workflow, known);
    return known;
  };
  const runsByStatus: Mutable<StoreMetrics["runsByStatus"]> = { running: 0, paused: 0, completed: 0, failed: 0, cancelled: 0 };
  const ages: Mutable<StoreMetrics["ages"]> = { underHour: 0, underDay: 0, underWeek: 0, older: 0 };
  const damaged = new Set<string>();
  const kinds: { [kind in CheckpointKind]: number } = { wave: 0, pause: 0, requested: 0 };
  let runs = 0;
  let [newest, oldest] = [Infinity, -Infinity];

  const heads = allPages((place) => store.runs({ ...place, limit: SIDE_BY_SIDE }));
  const rows = allPages((place) => store.checkpoints({ ...place, limit: SIDE_BY_SIDE }));
  for (;;) {
    const [headsPage, rowsPage] = [await heads.next(), await rows.next()];
    if (headsPage.done === true && rowsPage.done === true) break;
    for (const { run } of headsPage.value?.damaged ?? []) damaged.add(run);
    for (const { workflow, status } of headsPage.value?.items ?? []) {
      runs += 1;
      countsOf(workflow).runs += 1;
      runsByStatus[status] += 1;
    }
    for (const row of rowsPage.value?.items ?? []) {
      const age = Math.max(0, now - row.createdAt);
      countsOf(row.workflow).checkpoints += 1;
      kinds[row.kind] += 1;
      ages[age < HOUR_MS ? "underHour" : age < DAY_MS ? "underDay" : age < WEEK_MS ? "underWeek" : "older"] += 1;
      newest = Math.min(newest, age);
      oldest = Math.max(oldest, age);
    }
  }
  const checkpoints = kinds.pause + kinds.wave + kinds.requested;
  const { bytes } = await store.usage();
  return {
    runs,
    runsByStatus,
    damagedRuns: damaged.size,
    checkpoints,
    pausedCheckpoints: kinds.pause,
    automaticCheckpoints: kinds.wave,
    requestedCheckpoints: kinds.requested,
    byWorkflow: Object.fromEntries(byWorkflow),
    ages,
    ...(checkpoints === 0 ? {} : { newestAgeMs: newest, oldestAgeMs: oldest }),
    ...(bytes === undefined ? {} : { bytes }),
  };
}
