import { assertOptions } from "../model/assert-options.ts";
import { errorData, isWorkflowError, WorkflowError } from "../model/errors.ts";
import type { FailedRun } from "../model/maintenance.ts";
import type { RunHead, RunStatus, SearchValues } from "../model/run.ts";
import type { AbortSignalLike } from "../ports/host.ts";
import type { DamagedRun } from "../ports/store.ts";
import { allPages } from "../journal/journal.ts";
import type { Executor, ExportOptions, Run } from "./api.ts";

/** What to do with each run. */
export type BulkAction =
  | { readonly do: "cancel"; readonly reason?: string }
  /** Stops each run for now. Ended runs cannot be stopped. */
  | { readonly do: "stop" }
  /** Resumes each run until it settles: failed, stopped, or left by a crash. */
  | { readonly do: "resume" }
  | { readonly do: "delete" }
  /** Exports each run. `take` gets one file after another. */
  /** Calls your function with each run, and waits for its promise. */
  | { readonly do: "call"; readonly act: (run: Run) => Promise<void> }
  | { readonly do: "export"; readonly take: (file: string, run: string) => void | Promise<void>; readonly options?: ExportOptions };

/** Which runs to work on: those that meet every condition. Called runs are left out, since they belong to their callers. */
export interface BulkFilter {
  readonly workflow?: string;
  /** One status, or several. */
  readonly status?: RunStatus | readonly RunStatus[];
  /** Only runs without any change since this instant, in milliseconds since the epoch. */
  readonly updatedBefore?: number;
  /** Only runs with these values; see `RunListQuery`. Checked once, when the runs are counted. */
  readonly where?: SearchValues;
  /** Only these runs, by id. No list is read for them, so `where` has no effect. Default: all runs. */
  readonly runs?: readonly string[];
}

/** How {@link bulkRuns} works. */
export interface BulkOptions {
  /** Whether to count the runs only, and change none. Default: false. */
  readonly preview?: boolean;
  /** Called after each run. */
  readonly onProgress?: (progress: BulkProgress) => void;
  /** Ends the work after the current run. What was done stays done. */
  readonly signal?: AbortSignalLike;
}

/** How far the work is. */
export interface BulkProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What was done, run by run. */
export interface BulkReport {
  /** How many runs matched. */
  readonly total: number;
  readonly done: number;
  /** Runs that no longer matched at their turn: they had changed, or were gone. */
  readonly skipped: number;
  /** Runs for which the action failed, and why; also runs that cannot be read, which no other figure counts. */
  readonly failed: readonly FailedRun[];
}

/**
 * Does the same with all runs that match a filter, one after another. A failure with one run does not stop the others. Each run is checked again at its
 * turn: one that no longer matches is left as it is. Throws what listing runs throws, and `ABORTED`.
 */
export async function bulkRuns(executor: Executor, action: BulkAction, filter: BulkFilter, options: BulkOptions = {}): Promise<BulkReport> {
  assertOptions("bulkRuns filter", filter, { workflow: true, status: true, updatedBefore: true, where: true, runs: true });
  assertOptions("bulkRuns", options, { preview: true, onProgress: true, signal: true });
  const { found, damaged } = await findRuns(executor, filter);
  const failed: FailedRun[] = [...damaged.values()];
  const progress = { total: found.length, done: 0, failed: 0, skipped: 0 };
  for (const id of options.preview ? [] : found) {
    if (options.signal?.aborted) {
      throw new WorkflowError("ABORTED", `Ended after ${progress.done} of ${found.length} runs. Call it again for the others.`, {
        details: { ...progress },
        cause: options.signal.reason,
      });
    }
    try {
      progress[(await actOn(executor, action, { id, filter })) ? "done" : "skipped"]++;
    } catch (error) {
      failed.push({ run: id, error: errorData(error, "STORE_FAILED") });
      progress.failed++;
    }
    options.onProgress?.({ ...progress });
  }
  return { total: found.length, done: progress.done, skipped: progress.skipped, failed };
}

interface FoundRuns {
  readonly found: readonly string[];
  readonly damaged: ReadonlyMap<string, DamagedRun>;
}

/** Finds the runs. One that changes meanwhile moves to the front of the list, so the front is read again until it has nothing new. */
async function findRuns(executor: Executor, filter: BulkFilter): Promise<FoundRuns> {
  const { updatedBefore: _, runs, ...query } = filter;
  if (runs) return { found: [...new Set(runs)], damaged: new Map() };
  const known = new Set<string>();
  const found = new Set<string>();
  const damaged = new Map<string, DamagedRun>();
  for (let isNew = true; isNew;) {
    isNew = false;
    for await (const page of allPages((place) => executor.runs.list({ ...query, topLevel: true, ...place }))) {
      for (const one of page.damaged ?? []) damaged.set(one.run, one);
      const before = known.size;
      for (const head of page.items) {
        known.add(head.id);
        if (isMeant(head, filter)) found.add(head.id);
      }
      if (known.size === before) break;
      isNew = true;
    }
  }
  return { found: [...found], damaged };
}

type Meant = Pick<RunHead, "workflow" | "status" | "updatedAt">;

function isMeant(run: Meant, { workflow = run.workflow, status = run.status, updatedBefore = Infinity }: BulkFilter): boolean {
  return run.workflow === workflow && [status].flat().includes(run.status) && run.updatedAt < updatedBefore;
}

/** Does the work for one run. Gives whether the run still matched. */
async function actOn(
  executor: Executor,
  action: BulkAction,
  { id, filter }: { readonly id: string; readonly filter: BulkFilter },
): Promise<boolean> {
  const run = await openIfThere(executor, id);
  if (!run || !isMeant(run.getSnapshot(), filter)) return false;
  switch (action.do) {
    case "cancel":
      await run.cancel(action.reason === undefined ? {} : { reason: action.reason });
      break;
    case "stop":
      await run.stop();
      break;
    case "resume": {
      const { error } = await run.resume();
      if (error) throw new WorkflowError(error.code, error.message, error.details && { details: error.details });
      break;
    }
    case "delete":
      await executor.runs.delete(id);
      break;
    case "call":
      await action.act(run);
      break;
    case "export":
      await action.take(await executor.runs.export(id, action.options), id);
  }
  return true;
}

async function openIfThere(executor: Executor, id: string): Promise<Run | undefined> {
  try {
    return await executor.open(id);
  } catch (error) {
    if (isWorkflowError(error) && error.code === "RUN_NOT_FOUND") return undefined;
    throw error;
  }
}
