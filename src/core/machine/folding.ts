import type { CheckpointRow } from "../model/checkpoint.ts";
import { WorkflowError } from "../model/errors.ts";
import type { NamedUnit } from "../model/journal.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunState } from "./state.ts";
import type { Unit } from "./unit.ts";

/** Effects of an entry beside the new state. */
export interface Applied {
  /** New checkpoints, if there are any. */
  readonly checkpoints: readonly CheckpointRow[] | undefined;
  /** Numbers of pauses that were closed, if there are any. */
  readonly dropped: readonly number[] | undefined;
}

/** An entry that is being folded, with the state and the other effects. */
export interface Folding extends Applied {
  readonly plan: RunPlan;
  /** The definition that the run has now: another one once the entry has added blocks to it, or taken some away. */
  compiled: CompiledWorkflow;
  readonly state: RunState;
  checkpoints: CheckpointRow[] | undefined;
  dropped: number[] | undefined;
}

/** The list with one more item. Most entries have no effect of a kind, so its list is made only when it gets an item. */
export function listed<T>(list: T[] | undefined, item: T): T[] {
  if (!list) return [item];
  list.push(item);
  return list;
}

/** The unit an entry is about. Throws `RUN_CORRUPT`. */
export function unitOf(folding: Folding, named: NamedUnit): Unit {
  const unit = namedUnit(folding, named);
  assertItem(folding, unit);
  return unit;
}

/** The same, where the block may no longer have the item. Throws `RUN_CORRUPT`. */
export function namedUnit({ state, compiled }: Folding, { block: id, item }: NamedUnit): Unit {
  const block = compiled.plan.index.get(id);
  if (block === undefined) throw corrupt(state, `a record of block "${id}", which the workflow does not have`);
  return item === undefined ? { block } : { block, item };
}

/** Throws `RUN_CORRUPT` for an item that its block does not have. */
export function assertItem({ state, compiled }: Folding, { block, item }: Unit): void {
  if (item === undefined || state.items.get(block)?.codes[item] !== undefined) return;
  throw corrupt(state, `about item ${item} of block "${compiled.plan.ids[block]!}", which it does not have`);
}

export function corrupt(state: RunState, what: string): WorkflowError {
  return new WorkflowError(
    "RUN_CORRUPT",
    `The journal of run ${state.id} is damaged: entry ${state.entries} is ${what}. The run was left as it is; other runs are not touched.`,
    { details: { run: state.id, entry: state.entries } },
  );
}
