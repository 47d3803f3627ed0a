import { WorkflowError } from "../../model/errors.ts";
import type { ForkedEntry, WithdrawnEntry } from "../../model/journal.ts";
import {
  codeOf,
  COMPLETED,
  dependentsOf,
  type FoldedRun,
  isSettled,
  recordOf,
  stagesOf,
  type Unit,
  channelCode,
  UNTOUCHED,
} from "../../machine/machine.ts";
import type { Values } from "../../model/value.ts";

/** The copy of a called run in which something is due again. */
export interface ReopenedCall {
  readonly unit: Unit;
  /** What tells the call from the first one of the unit; see `Caller`. */
  readonly workflow: string | undefined;
  /** Its questions that were taken back. */
  readonly withdrawn: ReadonlySet<number>;
}

/**
 * Throws `RUN_ACTIVE` while a run undoes what it did, since it is not known yet what will remain; `RUN_ENDED` where it had begun to undo at the place to
 * copy, since two runs would undo the same.
 */
export function assertNotUndoing(now: FoldedRun, past: FoldedRun): void {
  const { id, compensation, finished } = now.state;
  const details = { run: id };
  if (compensation && !finished) {
    const message = `Run ${id} is undoing what it did. Fork it once it has ended: then it is known what stands.`;
    throw new WorkflowError("RUN_ACTIVE", message, { details });
  }
  if (!past.state.compensation || past.state.finished) return;
  const message = `At this checkpoint run ${id} had begun to undo what it did, so nothing goes on from there. Fork a checkpoint from before that.`;
  throw new WorkflowError("RUN_ENDED", message, { details });
}

/** Whether the run has undone what a unit did; without an item, what any item of the block did. */
export function isUndone({ compiled, state }: FoldedRun, { block, item }: Unit): boolean {
  const { compensations, ids } = compiled.plan;
  const by = compensations.get(block);
  if (!state.compensation || by === undefined || state.compensation.failed.includes(ids[by]!)) return false;
  if (!state.done.some((one) => one.block === ids[block] && !one.before)) return false;
  return item === undefined || codeOf(state, { block, item }) === COMPLETED;
}

/**
 * The entry by which a fork leaves undoing to its source, and does again what the source has undone since. Nothing where the source did nothing that can
 * be undone. Throws `CHANNEL_INVALID` where what is due again wrote to channels, and it is no longer known what they held before.
 */
export function forkedFrom(now: FoldedRun, own: FoldedRun, calls: readonly ReopenedCall[], at: number): readonly ForkedEntry[] {
  const { compiled, state } = own;
  // A called run that had undone all it did by then does nothing more.
  if (state.compensation) return [];
  const { ids, waveOf } = compiled.plan;
  const called = calls.filter(({ unit }) => isSettled(codeOf(state, unit))).map(({ unit }) => unit.block);
  // Its outputs were given from outside, or it is not part of this definition.
  const undone = [...new Set([...undoneBefore(now, own), ...called])].filter(
    (block) => waveOf[block]! >= 0 && recordOf(state, { block })?.attempts !== 0,
  );
  if (state.done.every(({ before }) => before) && undone.length === 0) return [];
  const due = new Set(undone.flatMap((block) => [block, ...dependentsOf(own, block)]));
  assertWritesFall(own, { units: [...due], stages: stagesOf(own), held: undefined });
  return [{ type: "forked", ...(undone.length > 0 ? { undone: undone.map((block) => ids[block]!) } : {}), at }];
}

/** The blocks that had completed before a fork, and that the run it comes from has undone since. */
function undoneBefore(now: FoldedRun, own: FoldedRun): readonly number[] {
  return own.state.done.flatMap(({ block, before }, i) => {
    // The same execution there: the block may have another id by now.
    const there = now.state.done[i]!;
    const isGone = there.before ? there.before === "undone" : isUndone(now, { block: now.compiled.plan.index.get(there.block) ?? -1 });
    return isGone && before !== "undone" ? (own.compiled.plan.index.get(block) ?? []) : [];
  });
}

/** The entries that withdraw questions of called runs in their copies. */
export function withdrawnFrom({ compiled, state }: FoldedRun, calls: readonly ReopenedCall[], at: number): readonly WithdrawnEntry[] {
  return calls.flatMap(({ unit: { block, item }, workflow, withdrawn }): readonly WithdrawnEntry[] => {
    const pauses = [...state.open].filter((number) => {
      const { entry, ...of } = state.pauses[number]!;
      const isOfCall = of.block === block && of.item === item && of.workflow === workflow;
      return isOfCall && entry.child !== undefined && withdrawn.has(entry.child);
    });
    const of = { block: compiled.plan.ids[block]!, ...(item === undefined ? {} : { item }) };
    return pauses.length === 0 ? [] : [{ type: "withdrawn", ...of, pauses, at }];
  });
}

interface Falling {
  readonly units: readonly number[];
  readonly stages: Uint8Array;
  /** What channels are given. */
  readonly held: Values | undefined;
}

/** Throws `CHANNEL_INVALID` where blocks that run again had written to channels, and it is no longer known what these held before. */
export function assertWritesFall(past: FoldedRun, { units, stages, held = {} }: Falling): void {
  const code = channelCode(past);
  if (!code || past.state.holdsDeltas) return;
  for (const block of units.filter((one) => stages[one] !== UNTOUCHED)) {
    const written = code.channelsWritten(past, block).find((name) => !Object.hasOwn(held, name));
    if (written === undefined) continue;
    const id = past.compiled.plan.ids[block]!;
    const message = `Block "${id}" has run at this checkpoint and may have written to channel "${written}". Begin at a block with startAt and say in channels what that shall hold, or fork at a checkpoint before it.`;
    throw new WorkflowError("CHANNEL_INVALID", message, { details: { block: id, channel: written } });
  }
}
