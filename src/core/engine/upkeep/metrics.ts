import type { StoreMetrics } from "../../model/metrics.ts";
import type { RunHead } from "../../model/run.ts";
import { checkpointRows } from "../checkpoint-rows.ts";
import type { Services } from "../services.ts";
import { listHeads } from "../list-heads.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 604_800_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** See `Executor.metrics`. */
export async function measure(services: Services): Promise<StoreMetrics> {
  const { store, host } = services;
  const now = host.now();
  const { heads, damaged } = await listHeads(services);
  const byWorkflow = new Map<string, { runs: number; checkpoints: number }>();
  const countsOf = (workflow: string): { runs: number; checkpoints: number } => {
    const known = byWorkflow.get(workflow) ?? { runs: 0, checkpoints: 0 };
    byWorkflow.set(workflow, known);
    return known;
  };
  for (const { workflow } of heads) countsOf(workflow).runs += 1;
  let paused = 0;
  let automatic = 0;
  const ages: Mutable<StoreMetrics["ages"]> = { underHour: 0, underDay: 0, underWeek: 0, older: 0 };
  let newest: number | undefined;
  let oldest: number | undefined;
  for await (const row of checkpointRows(services)) {
    const age = Math.max(0, now - row.createdAt);
    countsOf(row.workflow).checkpoints += 1;
    if (row.kind === "pause") paused += 1;
    else automatic += 1;
    ages[age < HOUR_MS ? "underHour" : age < DAY_MS ? "underDay" : age < WEEK_MS ? "underWeek" : "older"] += 1;
    newest ??= age;
    oldest = age;
  }
  const { bytes } = await store.usage();
  return {
    runs: heads.length,
    runsByStatus: countStatuses(heads),
    damagedRuns: damaged.size,
    checkpoints: paused + automatic,
    pausedCheckpoints: paused,
    automaticCheckpoints: automatic,
    byWorkflow: Object.fromEntries(byWorkflow),
    ages,
    ...(newest === undefined || oldest === undefined ? {} : { newestAgeMs: newest, oldestAgeMs: oldest }),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

function countStatuses(heads: readonly RunHead[]): StoreMetrics["runsByStatus"] {
  const counts = { running: 0, paused: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const { status } of heads) counts[status] += 1;
  return counts;
}
