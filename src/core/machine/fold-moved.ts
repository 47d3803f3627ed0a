import type { MovedEntry } from "../model/journal.ts";
import { isRecord, type Value, type Values } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import { FAILED, isSettled, OPENED, PAUSED, SETTLED, WAITING } from "./block-status.ts";
import type { Plan } from "../definition/definition.ts";
import { corrupt, type Folding } from "./folding.ts";
import { placeBlocks, type NewIds } from "./place-blocks.ts";
import { alignWaves, definitionOf } from "./run-plan.ts";
import { type PauseState, type RunState, startWaiting } from "./state.ts";
import { type StepRecord, StepRecords } from "./step-records.ts";
import { closePause } from "./admit-record.ts";
import type { UnitState } from "./unit-state.ts";
import { unitKey, unitOfKey, type Unit } from "./unit.ts";

/**
 * Moves the run to another definition: everything that is kept by the number of a block gets the number there. Places in the journal stay the same. Throws
 * `RUN_CORRUPT` for a definition that the run cannot continue with.
 */
export function foldMoved(folding: Folding, entry: MovedEntry): void {
  const { state, compiled: now } = folding;
  const plain = folding.plan.get(entry.definition);
  if (!plain) throw corrupt(state, "a move to a definition that is not there");
  const newIds = isRecord(entry.blocks) ? (entry.blocks as NewIds) : {};
  const { target, added, to, stages, obstacles } = placeBlocks(folding, plain, newIds);
  if (obstacles.length > 0) throw corrupt(state, `a move that cannot be: ${obstacles[0]!.message}`);
  const waveOf = alignWaves(target.plan, stages);
  const { plan } = definitionOf(folding.plan, { definition: entry.definition, waveOf, added });
  const stood = settledOfWave(state, now.plan).flatMap((block) => (to[block]! < 0 ? [] : to[block]!));
  moveSteps(state, { from: now.plan, plan, to });
  moveUnits(state, { from: now.plan, plan, to });
  state.pauses.forEach((pause, number) => movePause(folding, number, { ...pause, block: to[pause.block] ?? -1 }, newIds));
  state.done.splice(0, Infinity, ...state.done.map((one) => ({ ...one, block: newIds[one.block] ?? one.block })));
  state.waveOf = waveOf;
  state.added = added;
  state.formerly.push(state.definition);
  state.definition = entry.definition;
  const { touches: _, ...started } = state.started;
  const touches = entry.touches ? { touches: entry.touches } : {};
  state.started = { ...started, inputs: withDefaults(target.workflow, started.inputs), ...touches };
  // Steps of the wave under way may stand in an earlier one there.
  if ([...state.units.values()].some(({ progress }) => progress.deltas !== undefined)) state.holdsDeltas = true;
  startWave(state, plan, { stages, stood });
}

/** The blocks of the wave under way that have settled. */
function settledOfWave({ blocks, wave }: RunState, { waves }: Plan): readonly number[] {
  return (waves[wave] ?? []).filter((block) => isSettled(blocks[block]!));
}

/** From which plan the run moves to which, and where each block stands there. */
interface Move {
  readonly from: Plan;
  readonly plan: Plan;
  readonly to: Int32Array;
}

function moveSteps(state: RunState, { from, plan, to }: Move): void {
  const { blocks, records } = state;
  const { index } = from;
  state.blocks = new Uint8Array(plan.ids.length);
  state.records = new StepRecords();
  to.forEach((there, block) => {
    if (there < 0) return;
    state.blocks[there] = blocks[block]!;
    const record = records.get(block);
    if (record)
      state.records.set(
        there,
        rename(record, (id) => plan.ids[to[index.get(id) ?? -1] ?? -1]),
      );
  });
  const items = [...state.items];
  state.items.clear();
  for (const [block, list] of items) if (to[block]! >= 0) state.items.set(to[block]!, list);
}

/** The reason of a skipped block names another one, and so does what a block chose to follow. */
function rename(record: StepRecord, newId: (id: string) => string | undefined): StepRecord {
  const { skipped, next } = record;
  const named = (id: string): string => newId(id) ?? id;
  if (skipped && "block" in skipped) return { ...record, skipped: { ...skipped, block: named(skipped.block) } };
  return next ? { ...record, next: next.map(named) } : record;
}

function moveUnits(state: RunState, { from, plan, to }: Move): void {
  const there = (unit: Unit): number => to[unit.block]!;
  const known = [...state.units.values()];
  state.units.clear();
  for (const unit of known) {
    // A block whose step no longer counts finds the run that it called.
    const isLost = there(unit) < 0;
    const block = isLost && unit.caller ? (plan.index.get(from.ids[unit.block]!) ?? -1) : there(unit);
    if (block < 0) continue;
    const { caller } = unit;
    const moved: UnitState = isLost ? { item: unit.item, turn: 0, progress: { asked: [] }, caller: caller!, block } : { ...unit, block };
    state.units.set(unitKey(moved), moved);
  }
  const round = [...state.round].map(unitOfKey);
  state.round.clear();
  for (const unit of round) if (there(unit) >= 0) state.round.add(unitKey({ ...unit, block: there(unit) }));
}

function movePause(folding: Folding, number: number, pause: PauseState, newIds: NewIds): void {
  const { block: id } = pause.entry;
  const newId = Object.hasOwn(newIds, id) ? newIds[id] : undefined;
  const moved = newId ? { ...pause, entry: { ...pause.entry, block: newId } } : pause;
  folding.state.pauses[number] = moved;
  // No block asks it any more.
  if (pause.block < 0) closePause(folding, moved);
}

/** Gives inputs that the run did not have the defaults of the definition. */
function withDefaults(workflow: Workflow, given: Values): Values {
  const declared = Object.entries(workflow.inputs ?? {}).flatMap(([name, declaration]): (readonly [string, Value])[] => {
    if (declaration.default !== undefined) return [[name, declaration.default]];
    return declaration.required === false ? [[name, null]] : [];
  });
  return { ...Object.fromEntries(declared), ...given };
}

interface Standing {
  readonly stages: Uint8Array;
  /** The blocks of the wave under way that had settled. */
  readonly stood: readonly number[];
}

/** Counts again what is left to do, by wave. */
function startWave(state: RunState, plan: Plan, { stages, stood }: Standing): void {
  const unsettled = new Int32Array(plan.waves.length);
  const noteWaiting = (code: number, wave: number, unit: Unit): void => {
    if (code === PAUSED || code === WAITING) startWaiting(state, wave, unit);
  };
  state.waiting.clear();
  state.fatal = -1;
  state.blocks.forEach((code, block) => {
    const items = code === OPENED ? state.items.get(block)! : undefined;
    const wave = plan.waveOf[block]!;
    if (wave < 0) return;
    if (!isSettled(code)) unsettled[wave] = unsettled[wave]! + (items ? items.left : 1);
    noteWaiting(code, wave, { block });
    items?.codes.forEach((own, item) => noteWaiting(own, wave, { block, item }));
    if (code === FAILED && stages[block] !== SETTLED && state.fatal < 0) state.fatal = block;
  });
  state.unsettled = unsettled;
  const next = unsettled.findIndex((left) => left > 0);
  const wave = next < 0 ? plan.waves.length : next;
  // If nothing is left of the superstep under way, it ends here.
  const hasEnded = stood.length > 0 && stood.every((block) => plan.waveOf[block]! < wave);
  // What ran before the move says nothing of the waves there are now.
  state.ran.clear();
  state.wave = state.fatal >= 0 ? plan.waveOf[state.fatal]! : hasEnded ? wave - 1 : wave;
  state.furthest = state.wave;
}
