import type { CheckpointKind, CheckpointRow, CheckpointSummary } from "../model/checkpoint.ts";
import { WorkflowError } from "../model/errors.ts";
import { checkpointId, parseCheckpointId } from "../model/ids.ts";
import { type FoldedRun, isSuperseded, type PauseState, type RunState } from "../machine/machine.ts";

/** A place in the journal of a run from which the run can go on. */
export interface CheckpointPlace {
  readonly id: string;
  readonly run: string;
  readonly kind: CheckpointKind;
  readonly number: number;
}

/** Reads a checkpoint id. Throws `CHECKPOINT_NOT_FOUND` for what cannot be one. */
export function parsePlace(id: string): CheckpointPlace {
  const place = parseCheckpointId(id);
  if (!place) throw checkpointNotFound(id);
  return { id, ...place };
}

export function checkpointNotFound(id: string): WorkflowError {
  return new WorkflowError(
    "CHECKPOINT_NOT_FOUND",
    `Checkpoint ${JSON.stringify(id)} was not found. It may have been deleted, or belong to another store.`,
    {
      details: { checkpoint: String(id).slice(0, 200) },
    },
  );
}

/**
 * How many entries belong to the state at a checkpoint. Throws `CHECKPOINT_NOT_FOUND` where it does not exist or was deleted,
 * `CHECKPOINT_PRUNED` where its run no longer keeps that part of its history.
 */
export function entriesAt(run: FoldedRun, place: CheckpointPlace): number {
  const entries = findEntries(run, place);
  if (!entries) throw checkpointNotFound(place.id);
  if (entries < run.base) throw pruned(run, place.id);
  return entries;
}

/** The error for a place that a run no longer keeps. */
export function pruned(
  { state: { id }, base }: { readonly state: Pick<RunState, "id">; readonly base: number },
  what: string,
): WorkflowError {
  return new WorkflowError(
    "CHECKPOINT_PRUNED",
    `${what} of run ${id} is no longer kept: its policy lets old history go. Go on from a newer checkpoint; to keep more, set policy.retention to "full" or widen the window.`,
    { details: { run: id, base } },
  );
}

export function hasCheckpoint(run: FoldedRun, place: Pick<CheckpointPlace, "kind" | "number">): boolean {
  const entries = findEntries(run, place);
  return entries !== undefined && entries >= run.base;
}

function findEntries(run: FoldedRun, { kind, number }: Pick<CheckpointPlace, "kind" | "number">): number | undefined {
  const { state } = run;
  if (kind === "wave") return state.forgottenEnds.has(number) ? undefined : state.ends[number];
  if (kind === "requested") {
    const { entries, forgotten = true } = state.requested[number] ?? {};
    return forgotten ? undefined : entries;
  }
  const pause = state.pauses[number];
  return pause && !pause.forgotten ? openUntil(run, pause) : undefined;
}

/** How many entries a run had when a question was last open: what was answered beside it before belongs to its checkpoint. */
export function openUntil({ state, base }: FoldedRun, { entry, answer, leftAt, end }: PauseState): number {
  const { entries, open, finished, ends, pauses } = state;
  if (!open.has(entry.pause)) return answer?.place ?? leftAt ?? (end || entries);
  if (!finished) return entries;
  // Nothing can follow the end of a run. What may be removed of its history ends before that.
  return Math.max(base, end, ...ends, ...pauses.map((pause) => (pause.answer ? pause.answer.place + 1 : 0)));
}

/** Whether a question waited after some entries: however old it is, the run stood at it then, and could go on from there. */
export function wasOpenAt({ open, pauses }: RunState, number: number, entries: number): boolean {
  const { answer, leftAt } = pauses[number] ?? {};
  return open.has(number) || (answer?.place ?? leftAt ?? -1) >= entries;
}

/** The rows of the checkpoints that were deleted. */
export function deletedRows({ forgottenEnds, pauses, requested }: RunState): Pick<CheckpointRow, "kind" | "number">[] {
  const waves = [...forgottenEnds].map((number) => ({ kind: "wave" as const, number }));
  const asked = pauses.flatMap(({ forgotten }, number) => (forgotten ? [{ kind: "pause" as const, number }] : []));
  const wanted = requested.flatMap(({ forgotten }, number) => (forgotten ? [{ kind: "requested" as const, number }] : []));
  return [...waves, ...asked, ...wanted];
}

/** Whether the state at a checkpoint holds what a revision changed since, or its question was asked anew in its place. */
export function isTakenBack(run: FoldedRun, place: Pick<CheckpointPlace, "kind" | "number">): boolean {
  const { state } = run;
  const isAskedAnew = place.kind === "pause" && state.pauses[place.number]!.supersededBy !== undefined;
  return isAskedAnew || isSuperseded(state, findEntries(run, place) ?? 0);
}

/** Whether nothing that makes a checkpoint happened after this one. */
export function isNewest(run: FoldedRun, place: CheckpointPlace): boolean {
  const { state } = run;
  const end = entriesAt(run, place);
  if (place.kind === "pause" ? state.pauses[place.number]!.withdrawn : end < state.revisedAt) return false;
  const later = [...state.pauses, ...state.requested.map(({ entries, forgotten }) => ({ end: entries, forgotten }))];
  return end >= (state.ends.at(-1) ?? 0) && later.every((one) => one.forgotten || one.end <= end);
}

/** A row of the index as a list shows it. */
export function summarize(row: CheckpointRow): CheckpointSummary {
  const { run, workflow, kind, number, createdAt } = row;
  return { id: checkpointId(run, kind, number), run, workflow, kind, createdAt };
}
