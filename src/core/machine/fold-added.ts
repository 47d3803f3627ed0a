import { errorData, isWorkflowError } from "../model/errors.ts";
import type { Touches, ReenteredEntry, SuppliedEntry } from "../model/journal.ts";
import type { Block } from "../model/workflow.ts";
import { type AddedBlock, type CompiledWorkflow, extendWorkflow, type Plan } from "../definition/definition.ts";
import { PENDING, COMPLETED, SKIPPED_BLOCK } from "./block-status.ts";
import { dependentsOf } from "./dependencies.ts";
import { corrupt, type Folding, unitOf } from "./folding.ts";
import { definitionOf } from "./run-plan.ts";
import { type RunReading, codeOf, write } from "./state.ts";
import { type Addition, changeUnit, unitState } from "./unit-state.ts";
import { readUnitName, type Unit } from "./unit.ts";
import { valuesOf } from "../model/value.ts";
import { channelCode } from "./channel-scope.ts";

/** Folds that an execution added blocks: they join the plan, in waves after its own. Gives the blocks that are due again because of them. Throws `RUN_CORRUPT`. */
export function noteAdded(folding: Folding, unit: Unit, blocks: readonly Block[], touches: Touches | undefined): readonly number[] {
  const { state } = folding;
  const { progress } = changeUnit(state, unit);
  const iteration = progress.loop?.past.length ?? 0;
  const before = progress.added ?? [];
  const addition: Addition = { iteration, blocks };
  progress.added = [...before, addition];
  state.supersteps++;
  if (touches) state.started = { ...state.started, touches: { ...state.started.touches, ...touches } };
  const first = before.reduce((sum, { blocks: { length } }) => sum + length, 0);
  return readersDueAgain(folding, addBlocks(folding, unit, [addition], first));
}

/** The blocks that are due again: after a revision, later waves may have read channels and files that the added blocks write. */
function readersDueAgain(folding: Folding, added: readonly number[]): readonly number[] {
  const { blocks, revisions } = folding.state;
  if (revisions === 0) return NONE;
  const readers = new Set(added.flatMap((block) => [...dependentsOf(folding, block)]));
  return [...readers].filter((block) => blocks[block] !== PENDING);
}

/**
 * Adds the blocks of a unit to the plan, after the `first` blocks that it had added before. Blocks that were there under the same ids get their numbers
 * again. Gives the numbers. Throws `RUN_CORRUPT`.
 */
export function addBlocks(folding: Folding, unit: Unit, additions: readonly Addition[], first = 0): readonly number[] {
  const { state } = folding;
  const { added, numbers } = join(folding, unit, additions, first);
  replan(folding, added);
  count(folding, numbers, 1);
  // What executes of those that were there before a revision is none of these.
  if (state.revisions > 0) for (const block of numbers) changeUnit(state, { block }).turn = state.revisions;
  for (const [name, known] of state.effectsAhead ?? []) {
    const { block: id, item } = readUnitName(name);
    const block = folding.compiled.plan.index.get(id);
    if (block === undefined) continue;
    Object.assign(changeUnit(state, { block, item }), known);
    state.effectsAhead!.delete(name);
  }
  return numbers;
}

/** All that is added to the run once a unit has added these, and the numbers of these. Throws `RUN_CORRUPT` where an id is taken. */
function join(
  { compiled, state }: RunReading,
  { block: by, item }: Unit,
  additions: readonly Addition[],
  first = 0,
): { readonly added: readonly AddedBlock[]; readonly numbers: readonly number[] } {
  const { ids, index } = compiled.plan;
  const own = ids.length - (state.added?.length ?? 0);
  const added = [...(state.added ?? [])];
  const numbers: number[] = [];
  const seen = new Set<string>();
  for (const block of additions.flatMap(({ blocks }) => blocks)) {
    const number = index.get(block.id) ?? ids.length + numbers.filter((one) => one >= ids.length).length;
    const before = added[number - own];
    if (number < own || (before && !before.isGone) || seen.has(block.id)) {
      throw corrupt(state, `of a block "${block.id}" as added, of which there is one`);
    }
    seen.add(block.id);
    added[number - own] = { block, by, ...(item === undefined ? {} : { item }), place: first + numbers.length, isGone: false };
    numbers.push(number);
  }
  return { added, numbers };
}

/** Whether what a unit had added could join the plan as it is now: its ids are free, and all to which it refers is there. */
export function fitsIn(run: RunReading, unit: Unit, additions: readonly Addition[]): boolean {
  const { compiled } = run;
  try {
    const { added, numbers } = join(run, unit, additions);
    const whole = extendWorkflow(compiled.base ?? compiled, added);
    return numbers.every((number) => {
      const refers = whole.block(number).refersTo();
      return refers === "any" || refers.every((other) => whole.plan.waveOf[other]! >= 0);
    });
  } catch (error) {
    if (isWorkflowError(error)) return false;
    throw error;
  }
}

/** Takes away the blocks that a unit had added, from an iteration on: none of them has begun since a revision opened the unit. */
export function dropBlocks(folding: Folding, additions: readonly Addition[]): void {
  const { state } = folding;
  const gone = new Set(additions.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
  if (gone.size === 0) return;
  const numbers = [...gone].map((id) => folding.compiled.plan.index.get(id)!);
  count(folding, numbers, -1);
  replan(
    folding,
    state.added!.map((one): AddedBlock => (gone.has(one.block.id) ? { ...one, isGone: true } : one)),
  );
}

/** What the executions of a block and of its items added. */
export function additionsOf({ state }: Folding, block: number): readonly Addition[] {
  const items = state.items.get(block)?.keys.map((_, item): Unit => ({ block, item })) ?? [];
  return [{ block }, ...items].flatMap((unit) => unitState(state, unit).progress.added ?? NONE);
}

const NONE: readonly never[] = [];

/** What goes along when a run moves to another definition. */
interface Carried {
  /** That definition, with what goes along. */
  readonly target: CompiledWorkflow;
  readonly added: readonly AddedBlock[] | undefined;
  /** Why it does not fit there. */
  readonly refusal: { readonly block: string; readonly message: string } | undefined;
}

/** The other definition with what was added in the run, as far as the blocks that added it go along. */
export function carryAdded(
  { compiled: { plan }, state }: RunReading,
  target: CompiledWorkflow,
  newIds: { readonly [id: string]: string | null },
): Carried {
  const none: Carried = { target, added: undefined, refusal: undefined };
  const numbers = new Map<number, number>();
  const there = (block: number): number | undefined => {
    const id = plan.ids[block]!;
    const newId = Object.hasOwn(newIds, id) ? newIds[id]! : id;
    return newId === null ? undefined : (numbers.get(block) ?? target.plan.index.get(newId));
  };
  const first = plan.ids.length - state.added!.length;
  const added: AddedBlock[] = [];
  for (const [i, one] of state.added!.entries()) {
    const by = there(one.by);
    const { id } = one.block;
    if (one.isGone || by === undefined || (Object.hasOwn(newIds, id) && newIds[id] === null)) continue;
    numbers.set(first + i, target.plan.ids.length + added.length);
    added.push({ ...one, by });
  }
  if (added.length === 0) return none;
  try {
    return { target: extendWorkflow(target, added), added, refusal: undefined };
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    const message = `The blocks that were added to the run do not fit there: ${error.message}`;
    return { ...none, refusal: { block: added[0]!.block.id, message } };
  }
}

/** Counts blocks as more or fewer to do in their waves. */
function count({ state, compiled }: Folding, numbers: readonly number[], by: 1 | -1): void {
  for (const number of numbers) {
    const wave = compiled.plan.waveOf[number]!;
    state.unsettled[wave] = state.unsettled[wave]! + by;
  }
}

/** Plans the definition of the run with the added blocks. Throws `RUN_CORRUPT` for what cannot be planned. */
function replan(folding: Folding, added: readonly AddedBlock[]): void {
  const { state } = folding;
  try {
    const { plan } = definitionOf(folding.plan, { definition: state.definition, waveOf: undefined, added });
    if (state.waveOf) state.waveOf = alignAdded(plan, state.waveOf);
  } catch (error) {
    throw corrupt(state, `of blocks as added that cannot be planned: ${errorData(error, "RUN_CORRUPT").message}`);
  }
  state.added = added;
  folding.compiled = definitionOf(folding.plan, state);
  const { ids, waves } = folding.compiled.plan;
  if (state.blocks.length < ids.length) {
    const blocks = new Uint8Array(ids.length);
    blocks.set(state.blocks);
    state.blocks = blocks;
  }
  const unsettled = new Int32Array(waves.length);
  unsettled.set(state.unsettled.subarray(0, waves.length));
  state.unsettled = unsettled;
}

/** The waves of the blocks of a run that moved, with those that were added since: each as early as what it depends on allows. */
function alignAdded({ waveOf, waves, dependencyStart, dependencies }: Plan, before: Int32Array): Int32Array {
  const aligned = waveOf.map((wave, block) => (wave >= 0 && block < before.length ? before[block]! : -1));
  for (const wave of waves) {
    for (const block of wave) {
      if (aligned[block]! >= 0) continue;
      const own = dependencies.subarray(dependencyStart[block]!, dependencyStart[block + 1]!);
      aligned[block] = own.reduce((latest, dependency) => Math.max(latest, aligned[dependency]! + 1), 0);
    }
  }
  return aligned;
}

/** Folds that a fork begins at a block: these blocks are opened, and then supplied or run. Their old records never hold again. */
export function beginAt(folding: Folding, units: NonNullable<ReenteredEntry["units"]>, channels: ReenteredEntry["channels"]): void {
  const due = new Set(units.map((one) => unitOf(folding, one).block));
  for (const unit of folding.state.units.values()) if (due.has(unit.block)) unit.candidate = undefined;
  if (channels) channelCode(folding)?.supplyChannels(folding, channels);
}

/** Folds outputs of a block that were given from outside. Throws `RUN_CORRUPT` for a block that is not due. */
export function foldSupplied(folding: Folding, { outputs, at, ...of }: SuppliedEntry): void {
  const { state, compiled } = folding;
  const unit = unitOf(folding, of);
  const wave = compiled.plan.waveOf[unit.block]!;
  if (codeOf(state, unit) !== PENDING) throw corrupt(state, "a record that is out of its turn");
  if (outputs === undefined) write(state, unit, SKIPPED_BLOCK, { at, ms: 0, skipped: { kind: "passed-over" } });
  else write(state, unit, COMPLETED, { at, ms: 0, outputs: valuesOf(outputs), attempts: 0 });
  state.unsettled[wave] = state.unsettled[wave]! - 1;
}
