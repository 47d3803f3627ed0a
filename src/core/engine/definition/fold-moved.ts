import type { MovedEntry } from "../../model/journal.ts";
import { isRecord, type Value, type Values } from "../../model/value.ts";
import type { Workflow } from "../../model/workflow.ts";
import { COMPLETED, FAILED, OPENED, PAUSED, SKIPPED_BLOCK, WAITING } from "../block-code.ts";
import type { CompiledWorkflow } from "../compile.ts";
import type { PauseState, RunState, StepRecord } from "../state.ts";
import { StepRecords } from "../step-records.ts";
import { close, corrupt } from "../transition.ts";
import { unitKey, unitOfKey, type Unit, type UnitKey } from "../unit.ts";
import { alignWaves, withWaves } from "./align-waves.ts";
import { SETTLED } from "./begun-blocks.ts";
import { placeBlocks, type NewIds } from "./place-blocks.ts";

/**
 * The run goes on with another definition: everything that goes by the numbers of blocks takes the numbers they have there. Places in the
 * journal stay what they are. Throws `RUN_CORRUPT` for a definition with which the run could not go on.
 */
export function foldMoved(state: RunState, entry: MovedEntry): void {
  const target = state.definitions?.get(entry.definition);
  if (!target) throw corrupt(state, "a move to a definition that is not there");
  const newIds = isRecord(entry.blocks) ? (entry.blocks as NewIds) : {};
  const { to, stages, obstacles } = placeBlocks(state, target, newIds);
  if (obstacles.length > 0) throw corrupt(state, `a move that cannot be: ${obstacles[0]!.message}`);
  const waveOf = alignWaves(target.plan, stages);
  const compiled = waveOf ? withWaves(target, waveOf) : target;
  const stood = settledOfWave(state).flatMap((block) => numberOrNothing(to[block]!) ?? []);
  moveSteps(state, compiled, to);
  moveUnits(state, compiled, to);
  state.pauses.forEach((pause, number) => movePause(state, number, { ...pause, block: to[pause.block] ?? -1 }, newIds));
  state.compiled = compiled;
  state.waveOf = waveOf;
  state.formerly.push(state.definition);
  state.definition = entry.definition;
  state.started = { ...state.started, inputs: withDefaults(target.workflow, state.started.inputs) };
  startWave(state, stages, stood);
}

/** The blocks of the wave under way that have settled. */
function settledOfWave({ compiled, blocks, wave }: RunState): readonly number[] {
  return (compiled.plan.waves[wave] ?? []).filter((block) => isSettled(blocks[block]!));
}

function isSettled(code: number): boolean {
  return code === COMPLETED || code === SKIPPED_BLOCK || code === FAILED;
}

function moveSteps(state: RunState, { plan }: CompiledWorkflow, to: Int32Array): void {
  const { blocks, records } = state;
  const { index } = state.compiled.plan;
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
  rekey(state.items, (block) => numberOrNothing(to[block]!));
}

/** The reason of a skipped block names another one. */
function rename(record: StepRecord, newId: (id: string) => string | undefined): StepRecord {
  if (record.skipped?.kind !== "dependency") return record;
  return { ...record, skipped: { kind: "dependency", block: newId(record.skipped.block) ?? record.skipped.block } };
}

function moveUnits(state: RunState, { plan }: CompiledWorkflow, to: Int32Array): void {
  const { ids } = state.compiled.plan;
  const newKey = (key: UnitKey): UnitKey | undefined => {
    const { block, item } = unitOfKey(key);
    return to[block]! < 0 ? undefined : unitKey({ block: to[block]!, item });
  };
  const newUnit = <T extends Unit>(unit: T): T => ({ ...unit, block: to[unit.block]! });
  for (const map of [state.iterations, state.retries, state.recheck, state.begun, state.recoveries]) rekey<UnitKey, unknown>(map, newKey);
  rekey(state.sleepers, newKey, newUnit);
  // A block whose step no longer counts finds the run that it called.
  const calls = [...state.callers.values()].map((unit) => ({ ...unit, block: plan.index.get(ids[unit.block]!) ?? -1 }));
  state.callers.clear();
  for (const unit of calls) if (unit.block >= 0) state.callers.set(unitKey(unit), unit);
  for (const set of [state.round, state.reviving]) {
    const keys = [...set];
    set.clear();
    for (const key of keys) if (newKey(key) !== undefined) set.add(newKey(key)!);
  }
}

function rekey<K, V>(map: Map<K, V>, newKey: (key: K) => K | undefined, newValue: (value: V) => V = (value) => value): void {
  const members = [...map];
  map.clear();
  for (const [key, value] of members) {
    const moved = newKey(key);
    if (moved !== undefined) map.set(moved, newValue(value));
  }
}

function numberOrNothing(block: number): number | undefined {
  return block < 0 ? undefined : block;
}

function movePause(state: RunState, number: number, pause: PauseState, newIds: NewIds): void {
  const { block: id } = pause.entry;
  const newId = Object.hasOwn(newIds, id) ? newIds[id] : undefined;
  state.pauses[number] = newId ? { ...pause, entry: { ...pause.entry, block: newId } } : pause;
  // Nobody asks any more.
  if (pause.block < 0) close(state, state.pauses[number]);
}

/** Inputs that the run was not given have what the definition says. */
function withDefaults(workflow: Workflow, given: Values): Values {
  const declared = Object.entries(workflow.inputs ?? {}).flatMap(([name, declaration]): (readonly [string, Value])[] => {
    if (declaration.default !== undefined) return [[name, declaration.default]];
    return declaration.required === false ? [[name, null]] : [];
  });
  return { ...Object.fromEntries(declared), ...given };
}

/** Counts anew what is left to do, and in which wave. */
function startWave(state: RunState, stages: Uint8Array, stood: readonly number[]): void {
  const { plan } = state.compiled;
  const unsettled = new Int32Array(plan.waves.length);
  const isWaiting = (code: number): boolean => code === PAUSED || code === WAITING;
  state.waiting = 0;
  state.fatal = -1;
  state.blocks.forEach((code, block) => {
    const items = code === OPENED ? state.items.get(block)! : undefined;
    const wave = plan.waveOf[block]!;
    if (!isSettled(code)) unsettled[wave] = unsettled[wave]! + (items ? items.left : 1);
    state.waiting += items ? items.codes.filter(isWaiting).length : isWaiting(code) ? 1 : 0;
    if (code === FAILED && stages[block] !== SETTLED && state.fatal < 0) state.fatal = block;
  });
  state.unsettled = unsettled;
  const next = unsettled.findIndex((left) => left > 0);
  const wave = next < 0 ? plan.waves.length : next;
  // Where what was left of the superstep under way is gone, it ends here.
  const hasEnded = stood.length > 0 && stood.every((block) => plan.waveOf[block]! < wave);
  state.wave = state.fatal >= 0 ? plan.waveOf[state.fatal]! : hasEnded ? wave - 1 : wave;
}
