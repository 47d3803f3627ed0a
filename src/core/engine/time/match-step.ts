import { CALLING_TYPES } from "../../model/calling-types.ts";
import { isRecord } from "../../model/value.ts";
import type { Block } from "../../model/workflow.ts";
import { COMPLETED } from "../block-code.ts";
import { codeOf, recordOf, type PauseState, type RunState, type StepRecord } from "../state.ts";
import { unitKey, type Unit, type UnitKey } from "../unit.ts";
import { sameValue } from "./same-value.ts";

/** A run that another one takes finished steps over from. */
export interface Donor {
  readonly state: RunState;
  /** Answers that count in the place of its own, by the number of the pause. */
  readonly answers: { readonly [pause: string]: unknown };
  /** A value of it as it may be compared: with its secrets masked. */
  mask<T>(value: T): T;
}

/** A unit in the run that is revised. */
export interface Match {
  readonly donor: Donor;
  readonly unit: Unit;
  readonly record: StepRecord;
  /** Its questions that the new run has not recorded yet, with their answers. */
  readonly pauses: readonly PauseState[];
}

/** The unit of a run that stands for one of another run: the block of the same id, the item of the same key. */
export function unitIn(there: RunState, state: RunState, { block, item }: Unit): Unit | undefined {
  const other = there.compiled.plan.index.get(state.compiled.plan.ids[block]!);
  if (other === undefined || item === undefined) return other === undefined ? undefined : { block: other };
  const key = state.items.get(block)?.keys[item];
  const keys = there.items.get(other)?.keys;
  if (key === undefined || !keys) return undefined;
  const place = keys[item] === key ? item : keys.indexOf(key);
  return place < 0 ? undefined : { block: other, item: place };
}

const asked = new WeakMap<readonly PauseState[], { count: number; readonly byUnit: Map<UnitKey, PauseState[]> }>();

/** The questions of a unit in the order they were asked, those left out that were taken back or are the engine's own. */
export function pausesOf({ pauses }: RunState, unit: Unit): readonly PauseState[] {
  let known = asked.get(pauses);
  if (!known) asked.set(pauses, (known = { count: 0, byUnit: new Map() }));
  for (; known.count < pauses.length; known.count++) {
    const pause = pauses[known.count]!;
    const key = unitKey(pause);
    const others = known.byUnit.get(key);
    if (others) others.push(pause);
    else known.byUnit.set(key, [pause]);
  }
  return (known.byUnit.get(unitKey(unit)) ?? []).filter(
    ({ entry, answer, closed }) => entry.about === undefined && (answer !== undefined || !closed),
  );
}

/**
 * The step of a run that another one takes over for a unit: completed, of the same block, with the same inputs, and asked and answered as far
 * as the unit has been here.
 */
export function matchStep(
  state: RunState,
  unit: Unit,
  { inputs, donor }: { readonly inputs: unknown; readonly donor: Donor },
): Match | undefined {
  const there = unitIn(donor.state, state, unit);
  const record = there && recordOf(donor.state, there);
  if (!there || !record || codeOf(donor.state, there) !== COMPLETED) return undefined;
  if (!sameBlock(state.compiled.workflow.blocks[unit.block]!, donor.state.compiled.workflow.blocks[there.block]!)) return undefined;
  if (!sameValue(inputs, inputsOf(donor, there))) return undefined;
  const own = pausesOf(state, unit);
  const theirs = pausesOf(donor.state, there);
  if (own.length > theirs.length || theirs.some(({ entry }) => Object.hasOwn(donor.answers, entry.pause))) return undefined;
  const { onRevise = "keep" } = state.compiled.workflow.blocks[unit.block]!;
  if (onRevise !== "keep" && own.length < theirs.length && dependsOnChange(state, unit.block, donor)) return undefined;
  const isSame = own.every((pause, i) => sameQuestion(pause, theirs[i]!) && sameAnswer(pause, theirs[i]!));
  return isSame ? { donor, unit: there, record, pauses: theirs.slice(own.length) } : undefined;
}

/** The inputs a unit had; nothing that equals anything where they cannot be found out. */
export function inputsOf(donor: Donor, unit: Unit): unknown {
  const { state } = donor;
  const { block, item } = unit;
  try {
    return donor.mask(
      state.compiled.block(block).inputs(item === undefined ? state.scope : state.compiled.items.scope(state, block, item)),
    );
  } catch {
    return undefined;
  }
}

/** Members of a block that say whether and when it runs, not what it does. */
const ASIDE: ReadonlySet<string> = new Set(["description", "dependsOn", "condition", "skippable", "onRevise"]);

function sameBlock(one: Block, other: Block): boolean {
  return one === other || sameValue(essence(one), essence(other));
}

function essence(block: Block): unknown {
  return Object.fromEntries(Object.entries(block).filter(([member, value]) => !ASIDE.has(member) && value !== undefined));
}

/** Whether two questions are put in the same words and take the same answers. */
export function sameQuestion({ entry: one }: Pick<PauseState, "entry">, { entry: other }: Pick<PauseState, "entry">): boolean {
  return one.prompt === other.prompt && sameValue(one.schema, other.schema);
}

function sameAnswer({ answer: one }: PauseState, { answer: other }: PauseState): boolean {
  return one !== undefined && other !== undefined && one.action === other.action && sameValue(one.response, other.response);
}

/** Whether something that a block depends on, directly or not, came out otherwise than in the other run. */
export function dependsOnChange(state: RunState, block: number, donor: Donor): boolean {
  const { dependencyStart, dependencies } = state.compiled.plan;
  const seen = new Set<number>();
  const open = [block];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (let i = dependencyStart[next]!; i < dependencyStart[next + 1]!; i++) {
      const dependency = dependencies[i]!;
      if (seen.has(dependency)) continue;
      seen.add(dependency);
      open.push(dependency);
      if (hasChanged(state, dependency, donor)) return true;
    }
  }
  return false;
}

function hasChanged(state: RunState, block: number, donor: Donor): boolean {
  const there = unitIn(donor.state, state, { block });
  if (!there || donor.state.blocks[there.block] !== state.blocks[block]) return true;
  return !sameValue(lastingOutputs(state, block), lastingOutputs(donor.state, there.block));
}

/** What a block gave, without the time that a called workflow took. */
function lastingOutputs({ compiled, items, records }: RunState, block: number): unknown {
  const outputs = records.get(block)?.outputs;
  if (!outputs || !CALLING_TYPES.has(compiled.workflow.blocks[block]!.type)) return outputs;
  const { results } = outputs;
  return items.has(block) && Array.isArray(results) ? results.map(withoutTime) : withoutTime(outputs);
}

function withoutTime(outputs: unknown): unknown {
  if (!isRecord(outputs)) return outputs;
  const { execution_time_ms: _, ...lasting } = outputs;
  return lasting;
}
