import type { CompiledWorkflow } from "../definition/definition.ts";
import type { ErrorData } from "../model/errors.ts";
import type { AnsweredEntry, FinishedEntry, PausedEntry, RevisedEntry, StartedEntry } from "../model/journal.ts";
import type { RunStatus } from "../model/run.ts";
import { isRecord, type Values } from "../model/value.ts";
import type { BlockItem } from "../ports/block.ts";
import { PENDING } from "./block-status.ts";
import type { StepRecord, StepRecords } from "./step-records.ts";
import { unitKey, unitName, type Unit, type UnitKey } from "./unit.ts";

/**
 * What a journal says about a run, folded: plain data. Changed in place by `apply` and by nothing else: copying the state of n blocks for each
 * of n entries would be quadratic.
 */
export interface RunState {
  readonly id: string;
  started: StartedEntry;
  /** Hash of the definition the run goes on with: the one it was started with, unless it moved to another. */
  definition: string;
  /** Hashes of those it had before. */
  readonly formerly: string[];
  /** The wave of each block, where the run moved and not all blocks stand where the plan of the definition has them. */
  waveOf: Int32Array | undefined;
  /** When the run came to be, in milliseconds after the start: a fork later than the past it shares. */
  madeAt: number;
  /** How many entries were folded. */
  entries: number;
  /** `at` of the newest entry, in milliseconds after the start. */
  lastAt: number;
  /** State code of each block. */
  blocks: Uint8Array;
  records: StepRecords;
  /** The first wave that is not finished; the number of waves once all are. */
  wave: number;
  /** The items of blocks with `for_each` that have begun, by block. */
  readonly items: Map<number, Items>;
  /** How many blocks of each wave have not settled; for a block whose items have begun, each item counts. */
  unsettled: Int32Array;
  /** How many blocks and items of a wave wait for an answer or for an instant, where any do. */
  readonly waiting: Map<number, number>;
  /** Those that wait for an instant. */
  readonly sleepers: Map<UnitKey, Sleeper>;
  /** Units that ran more than once because they asked to. */
  readonly iterations: Map<UnitKey, Iterations>;
  /** How often units asked to run again. */
  supersteps: number;
  /** How often a unit failed and was tried again. */
  readonly retries: Map<UnitKey, number>;
  /** Units with `effect: once` that were about to be executed, as long as the outcome is unknown. */
  readonly begun: Map<UnitKey, Begun>;
  /** How often another process found a unit that may have been executed, and executed it again. */
  readonly recoveries: Map<UnitKey, number>;
  /** The block whose failure fails the run, or -1. */
  fatal: number;
  readonly pauses: PauseState[];
  /** Numbers of the pauses without an answer, in the order they were asked. */
  readonly open: Set<number>;
  /** Numbers of the pauses whose answer the block has not yet taken note of. */
  readonly answered: Set<number>;
  /** Units that wait for a run that they called. */
  readonly calls: Map<UnitKey, OpenCall>;
  /** How many entries there were when each superstep had ended: a wave, or a round of blocks that asked to run again. */
  readonly ends: number[];
  /** Units that asked to run again in the superstep under way. */
  readonly round: Set<UnitKey>;
  /** Supersteps whose checkpoint was deleted. */
  readonly forgottenEnds: Set<number>;
  /** Units that called another workflow. */
  readonly callers: Map<UnitKey, Caller>;
  /** Units that failed before and run again because their run was resumed. */
  readonly reviving: Set<UnitKey>;
  /** How many revisions there were: of answers, or of all inputs. */
  revisions: number;
  /** How many entries there were when the last one had been folded. */
  revisedAt: number;
  /** In a called run: the last revision of the caller that was followed here, of an answer and of the inputs. */
  cause: number;
  entered: number;
  /** The revision that opened a unit last, by its number; 0 where none did. */
  readonly turns: Map<UnitKey, number>;
  /** What was recorded last of units that a revision opened: it holds again where they are given the same. */
  readonly candidates: Map<UnitKey, Candidate>;
  /** The items of blocks that a revision opened, until they have items again. */
  readonly formerItems: Map<number, Items>;
  /** What each unit was given last, and how often that changed: idempotency keys go by it. */
  readonly keys: Map<UnitKey, EffectKey>;
  /** What must not run twice and was executed. */
  readonly effects: Map<UnitKey, Effect>;
  /** The askings of each unit that count, in their order. */
  readonly asked: Map<UnitKey, number[]>;
  /** The askings of each unit before a revision opened it, by their places. */
  readonly former: Map<UnitKey, (number | undefined)[]>;
  /** Revisions that are yet to be passed on to the run that a unit called. */
  readonly reopened: Map<UnitKey, Reopening[]>;
  /** How many entries the run had that a unit called, when the unit looked last. */
  readonly children: Map<UnitKey, number>;
  /** Blocks that gave something else after a revision: how many entries there were then. */
  readonly changed: Map<number, number>;
  /** How many waves had ended when the run was furthest. */
  furthest: number;
  /** Those of them in which something ran since a revision. */
  readonly ran: Set<number>;
  finished: FinishedEntry | undefined;
  outputs: Values | undefined;
  /** How often the run was handed over to another store. */
  ownership: number;
  /** Where it went, while it is not here: nothing but its return may follow. */
  transferredTo: string | undefined;
}

/** A unit that called a workflow. */
export interface Caller extends Unit {
  /** The name of that, where it had called another one before. */
  readonly workflow?: string | undefined;
}

/** What a unit waits for that called a workflow. */
export interface OpenCall {
  /** The question of the called run that was asked or answered last. */
  readonly pause: number;
  /** How many of its questions were answered since the unit began to wait. */
  readonly answers: number;
}

/** An execution that must not happen twice. */
export interface Begun {
  /** The pause with whose answer the unit was executed. */
  readonly pause: number | undefined;
  /** The instant for which it had waited. */
  readonly woken: number | undefined;
  /** What it was given. */
  readonly given?: string | undefined;
  /** Whether a person said that it may be executed again. */
  readonly isCleared: boolean;
}

/** A unit that continues at an instant, in milliseconds after the start. */
export interface Sleeper extends Unit {
  readonly until: number;
  /** Whether it failed and is tried again then. */
  readonly retries: boolean;
  /** The instant for which it had waited before it failed. */
  readonly woken: number | undefined;
  /** The pause whose answer it goes on with. */
  readonly pause: number | undefined;
}

/** The executions of a unit that asked to run again. */
export interface Iterations {
  /** One for each; `ms` counts those before it too. */
  readonly past: StepRecord[];
  /** What the last of them gave to the next one. */
  readonly carried: unknown;
}

/** The items of one block. */
export interface Items {
  readonly keys: readonly string[];
  /** State code of each. */
  readonly codes: Uint8Array;
  readonly records: (StepRecord | undefined)[];
  /** What tells each from the others, where something in the run may ask. */
  readonly ids?: readonly string[];
  /** How many have not settled. */
  left: number;
}

/** An answer, and where in the journal it came. */
export interface PauseAnswer {
  readonly response: unknown;
  readonly action?: AnsweredEntry["action"] | undefined;
  readonly by?: AnsweredEntry["by"] | undefined;
  readonly at: number;
  /** How many entries were before it. */
  readonly place: number;
}

/** What was recorded last of a unit before a revision opened it. */
export interface Candidate {
  readonly code: number;
  readonly record: StepRecord | undefined;
  /** What it was given; absent where it cannot hold again. */
  readonly given: string | undefined;
  /** Its askings, and those of them that were open or whose answer it had yet to take. */
  readonly pauses: readonly number[];
  readonly open: readonly number[];
  readonly answered: readonly number[];
  readonly call: OpenCall | undefined;
  readonly sleeper: Sleeper | undefined;
  readonly iterations: Iterations | undefined;
  readonly retries: number | undefined;
}

/** What a unit was given last, and how often it was given something else before. */
export interface EffectKey {
  readonly given: string;
  readonly k: number;
}

/** A completed execution of what must not run twice. */
export interface Effect {
  readonly given: string | undefined;
  readonly outputs: Values | null;
}

/** A revision of a question of a called run. */
export interface Reopening extends Pick<RevisedEntry, "response" | "action"> {
  /** The workflow that the unit had called by then; see {@link Caller}. */
  readonly workflow?: string | undefined;
  readonly cause: number;
  readonly calls: readonly string[];
  readonly inner: number;
}

export interface PauseState extends Unit {
  readonly entry: PausedEntry;
  readonly metadata: { readonly [name: string]: unknown };
  /** Set by the first valid answer. */
  answer: PauseAnswer | undefined;
  /** The block has taken note of the answer, or has settled otherwise. */
  closed: boolean;
  /** How many entries were before the one that took it back without an answer. */
  leftAt?: number;
  forgotten: boolean;
  /** Its time is up: it had the answer that was to follow then, and the block refused that. */
  isOver: boolean;
  /** Why the block refused the last answer. */
  refusal: ErrorData | undefined;
  /** How many entries belong to the checkpoint of this pause; 0 while siblings of its wave still run. */
  end: number;
  /** The asking of the same question that it took the place of. */
  readonly supersedes?: number | undefined;
  /** The asking of the same question that took its place. */
  supersededBy?: number;
  /** Its place in the order of answers: that of the answer it took the place of, else where in the journal its own came. */
  rank: number;
  /** A revision took it back, for now or for good. */
  withdrawn: boolean;
  /** Of a called run's question: the workflow that the unit had called; see {@link Caller}. */
  readonly workflow?: string | undefined;
  /** Where the unit had run before and asked to run again: how often, and what it carried over. */
  readonly again?: { readonly count: number; readonly carried: unknown };
}

/** The status a list of runs shows. */
export function statusOf(state: RunState): RunStatus {
  if (state.finished) return state.finished.status;
  // A copy that was left behind waits for nothing here, and nothing of it is executed.
  if (state.transferredTo !== undefined) return "paused";
  return state.open.size > 0 && isQuiet(state) ? "paused" : "running";
}

/** What the id of the run that a unit called is made from, beside the id of its run. */
export function addressOf({ compiled, state }: RunReading, unit: Unit): string {
  const name = unitName(compiled.plan.ids[unit.block] ?? "", unit.item);
  const workflow = state.callers.get(unitKey(unit))?.workflow;
  return workflow === undefined ? name : `${name}~${workflow}`;
}

/** The state code of a unit. */
export function codeOf(state: RunState, { block, item }: Unit): number {
  return item === undefined ? state.blocks[block]! : (state.items.get(block)?.codes[item] ?? PENDING);
}

/** The place of an item among the others. */
export function itemOf(state: RunState, block: number, item: number): BlockItem {
  const { keys } = state.items.get(block)!;
  return { index: item, key: keys[item]!, count: keys.length };
}

/** How often a unit runs, the execution under way counted. */
export function iterationOf({ iterations }: RunState, unit: Unit): number {
  return (iterations.get(unitKey(unit))?.past.length ?? 0) + 1;
}

/** When what is recorded began. */
export function begunAt({ at, ms, begunAt: known }: StepRecord): number {
  return known ?? at - ms;
}

/** What is recorded of a unit. */
export function recordOf(state: RunState, { block, item }: Unit): StepRecord | undefined {
  return item === undefined ? state.records.get(block) : state.items.get(block)?.records[item];
}

/** Whether nothing of the run can execute: everything in the current wave has settled, or waits for an answer that is not there or an instant. */
function isQuiet(state: RunState): boolean {
  // The end of the run has yet to be written.
  if (state.fatal >= 0) return false;
  if (state.wave >= state.unsettled.length) return true;
  return state.unsettled[state.wave] === waitingIn(state) && state.answered.size === 0 && unaskedCalls(state).length === 0;
}

/** How many blocks and items of a wave wait: the one under way, unless another is given. */
export function waitingIn({ waiting, wave }: RunState, of: number = wave): number {
  return waiting.get(of) ?? 0;
}

/** One more or less waits in a wave. */
export function countWaiting({ waiting }: RunState, wave: number, more: number): void {
  const count = (waiting.get(wave) ?? 0) + more;
  if (count === 0) waiting.delete(wave);
  else waiting.set(wave, count);
}

/** The revision that opened a unit last, by its number; 0 where none did. */
export function turnOf({ turns }: RunState, unit: Unit): number {
  if (turns.size === 0) return 0;
  const own = turns.get(unitKey(unit)) ?? 0;
  return unit.item === undefined ? own : Math.max(own, turns.get(unit.block) ?? 0);
}

/** Calls of which no question is open, or to which a revision is to be passed on: what became of the called run has to be looked at. */
export function unaskedCalls({ calls, open, pauses, reopened }: RunState): readonly OpenCall[] {
  if (calls.size === 0) return NO_CALLS;
  const asking = new Set([...open].map((number) => unitKey(pauses[number]!)));
  return [...calls].flatMap(([key, call]) => (asking.has(key) && !reopened.has(key) ? NO_CALLS : [call]));
}

const NO_CALLS: readonly OpenCall[] = [];

/** The askings that count, unit by unit. Those that revisions took back may be many more. */
export function* askedPauses({ asked, pauses }: RunState): Iterable<PauseState> {
  for (const numbers of asked.values()) for (const number of numbers) yield pauses[number]!;
}

/** The numbers of the pauses that wait for an answer, in the order of the plan, those of one block in the order they were asked. */
export function openPauses({ open, pauses }: RunState): readonly number[] {
  return [...open].toSorted((a, b) => pauses[a]!.block - pauses[b]!.block || (pauses[a]!.item ?? 0) - (pauses[b]!.item ?? 0) || a - b);
}

/**
 * When a question ends by itself, in milliseconds after the start. In a fork the questions from before wait as long as it takes, so that
 * it does not find them expired.
 */
export function deadlineOf({ pauses, madeAt }: RunState, pause: number): number | undefined {
  const { at, until } = pauses[pause]!.entry;
  return at >= madeAt ? until : undefined;
}

/** Sets the state and the record of a unit, which keeps when it began first. */
export function put(state: RunState, unit: Unit, code: number, given: StepRecord | undefined): void {
  const before = given && recordOf(state, unit);
  write(state, unit, code, before ? { ...given, begunAt: begunAt(before) } : given);
}

/** Replaces the state and the record of a unit. */
export function write(state: RunState, { block, item }: Unit, code: number, record?: StepRecord): void {
  if (item === undefined) {
    state.blocks[block] = code;
    state.records.set(block, record);
    return;
  }
  const items = state.items.get(block)!;
  items.codes[item] = code;
  items.records[item] = record;
}

/** A question that was just asked. */
export function newPause(unit: Unit, entry: PausedEntry): PauseState {
  return {
    ...unit,
    entry,
    metadata: isRecord(entry.metadata) ? entry.metadata : {},
    answer: undefined,
    closed: false,
    forgotten: false,
    isOver: false,
    refusal: undefined,
    end: 0,
    supersedes: undefined,
    rank: 0,
    withdrawn: false,
  };
}

/** A state with the definition that explains its numbers of blocks. */
export interface RunReading {
  readonly compiled: CompiledWorkflow;
  readonly state: RunState;
}
