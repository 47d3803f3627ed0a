import type { StepChanges } from "../model/journal.ts";
import { isRecord } from "../model/value.ts";
import { addedPart } from "./added-part.ts";
import { channelCode } from "./channel-scope.ts";
import { noteFiles } from "./files.ts";
import { corrupt, type Folding } from "./folding.ts";
import { openBlocks } from "./open-units.ts";
import { addCheckpoint } from "./supersteps.ts";
import { changeUnit, unitState } from "./unit-state.ts";
import type { Unit } from "./unit.ts";

/** Entries of executions that leave something in their run. */
interface ChangingEntry extends StepChanges {
  readonly at: number;
  readonly ms?: number;
  readonly given?: string;
}

/**
 * Notes what an execution leaves in its run beside its outputs, before it is recorded as completed or repeated. What a revision can take back is kept in
 * the progress of the unit, and goes with it. Throws `RUN_CORRUPT`.
 */
export function foldChanges(folding: Folding, unit: Unit, entry: ChangingEntry): void {
  if (entry.writes !== undefined) channelCode(folding)?.noteWrites(folding, unit, entry.writes, entry.given !== undefined);
  if (entry.added !== undefined) openBlocks(folding, addedPart.code().noteAdded(folding, unit, entry.added, entry.touches));
  if (entry.checkpoint !== undefined) noteRequest(folding, unit, entry);
  if (entry.files) noteFiles(folding, unit, entry.files, entry.given !== undefined);
}

/** Notes, in a preview, that it is not known what a unit leaves in its run. */
export function foldUnknownChanges(folding: Folding, unit: Unit): void {
  channelCode(folding)?.noteUnknownWrites(folding, unit);
  changeUnit(folding.state, unit).progress.isAssumed = true;
}

/** Makes the checkpoint that a block asked for, where it is known what follows the step. No revision removes it: the journal still has that state. */
function noteRequest(folding: Folding, unit: Unit, { checkpoint, at, ms = 0 }: ChangingEntry): void {
  const { state, compiled } = folding;
  if (!isRecord(checkpoint)) throw corrupt(state, "a checkpoint with metadata that is none");
  const past = unitState(state, unit).progress.loop?.past ?? [];
  const metadata = {
    ...checkpoint,
    block: compiled.plan.ids[unit.block]!,
    ...(unit.item === undefined ? {} : { item: unit.item }),
    iteration: past.length + 1,
    elapsed_ms: Math.max(0, ms - (past.at(-1)?.ms ?? 0)),
  };
  addCheckpoint(folding, "requested", state.requested.length, state.entries);
  state.requested.push({ entries: state.entries, at, metadata, forgotten: false });
}
