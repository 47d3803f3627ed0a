import type { AddedBlock, CompiledWorkflow } from "../definition/definition.ts";
import type { ErrorData } from "../model/errors.ts";
import type { AnsweredEntry, FinishedEntry, PausedEntry, StartedEntry } from "../model/journal.ts";
import type { AskedAgain } from "../model/run.ts";
import { type Values, valuesOf } from "../model/value.ts";
import type { BlockItem } from "../ports/block.ts";
import { PENDING } from "./block-status.ts";
import type { StepRecord, StepRecords } from "./step-records.ts";
import {
  changeUnit,
  type EffectKey,
  type Items,
  type KnownEffect,
  type OpenCall,
  unitState,
  iterationOf,
  type UnitState,
  type UnitStates,
} from "./unit-state.ts";
import { unitKey, unitName, type Unit, type UnitKey } from "./unit.ts";

/**
 * What a journal says about a run, folded: plain data. Changed in place by `apply` and by nothing else: copying the state of n blocks for each
 * of n entries would be quadratic.
 */
export interface RunState extends UnitStates {
  readonly id: string;
  started: StartedEntry;
  /** Hash of the definition that the run follows: the one it was started with, unless it moved to another. */
  definition: string;
  /** Hashes of the definitions that it followed before. */
  readonly formerly: string[];
  /** The wave of each block, if the run moved and some blocks are not in the waves of the definition. */
  waveOf: Int32Array | undefined;
  /** The blocks that others added, in the order in which they came. A new list when one is added or taken away; absent before the first. */
  added: readonly AddedBlock[] | undefined;
  /** Executions that must not be repeated, by the name of the unit, for blocks that are yet to be added; see `EffectedEntry`. */
  effectsAhead: Map<string, KnownEffect> | undefined;
  /** When the run was made, in milliseconds after the start: a fork is younger than the past it shares. */
  madeAt: number;
  /** `at` of the newest entry, in milliseconds after the start. */
  lastAt: number;
  /** State code of each block. */
  blocks: Uint8Array;
  records: StepRecords;
  /** The first wave that is not finished; the number of waves once all are; -1 where the run undoes what it did. */
  wave: number;
  /** The items of blocks with `for_each` that have begun, by block. */
  readonly items: Map<number, Items>;
  /** How many blocks of each wave have not settled; for a block whose items have begun, each item counts. */
  unsettled: Int32Array;
  /** The blocks and items that wait for an answer or for an instant, by wave. */
  readonly waiting: Map<number, Set<UnitKey>>;
  /** How often units asked to run again. */
  supersteps: number;
  /** The block whose failure fails the run, or -1. */
  fatal: number;
  readonly pauses: PauseState[];
  /** Numbers of the pauses without an answer, in the order they were asked. */
  readonly open: Set<number>;
  /** Numbers of the pauses whose answer the block has not handled yet. */
  readonly answered: Set<number>;
  /** How many entries there were at the end of each superstep: of a wave, or of a round of blocks that asked to run again. */
  readonly ends: number[];
  /** Units that asked to run again in the superstep under way. */
  readonly round: Set<UnitKey>;
  /** Supersteps whose checkpoint was deleted. */
  readonly forgottenEnds: Set<number>;
  /** The checkpoints that blocks asked for, in their order. */
  readonly requested: RequestedCheckpoint[];
  /** How many entries there were after the last revision. */
  revisedAt: number;
  /** The ranges of the journal whose states hold answers that were changed later; absent before the first revision. */
  superseded: Stretch[] | undefined;
  /** In a called run: the last revision of the caller that was passed on here, for an answer and for the inputs. */
  cause: number;
  entered: number;
  /** The most waves that had ended at any time. */
  furthest: number;
  /** Those waves in which something ran after a revision. */
  readonly ran: Set<number>;
  /** What channels hold, by name, as far as no revision can take it back. */
  readonly settledChannels: Map<string, Held>;
  /** Whether changes of channels are kept with the units that made them, so that a revision can take them back. */
  holdsDeltas: boolean;
  /** Whether blocks of the run wrote files. */
  hasFiles: boolean;
  /** The open resources, by block type and name; in a fork perhaps those of its source. */
  readonly resources: Map<string, OpenResource>;
  /** The executions of blocks that others undo, in the order in which they completed. */
  readonly done: Done[];
  /** Set once the run undoes what it did. */
  compensation: Compensation | undefined;
  /** The signals that came, by their ids, in the order in which they came; absent before the first. */
  signals: Map<string, Signal> | undefined;
  /**
   * The signals that nothing has taken, by name and id, in the order in which they came, with the units that had taken them before a revision. Derived
   * from the rest, and not stored.
   */
  untaken: Map<string, Map<string, readonly UnitKey[]>> | undefined;
  /** Set while the run is stopped for now. */
  suspension: Suspension | undefined;
  finished: FinishedEntry | undefined;
  /** How often the run was transferred to another store. */
  ownership: number;
  /** Where it was transferred to, while it is there: only its return may follow. */
  transferredTo: string | undefined;
}

/** A range of a journal: the states after more entries than the first number, and not more than the second. */
export type Stretch = [after: number, upTo: number];

/** A checkpoint that a block asked for. */
export interface RequestedCheckpoint {
  /** How many entries of the journal belong to it. */
  readonly entries: number;
  readonly at: number;
  readonly metadata: { readonly [name: string]: unknown };
  /** Set once it was deleted. */
  forgotten: boolean;
}

/** What a channel holds. A growing list is changed in place: copying it for each change would be quadratic. */
export interface Held {
  held: unknown;
  /** How many changes were joined. */
  changes: number;
}

/** A resource that was opened for the blocks of a type. */
export interface OpenResource {
  readonly run: string;
  readonly blockType: string;
  readonly name: string;
  /** What it is reconnected by. */
  readonly held: unknown;
  /** How often a resource of this name had been opened before. */
  readonly count: number;
}

/** A completed execution of a block, or of an item of it, that another block undoes. */
export interface Done {
  readonly block: string;
  readonly outputs: Values | null;
  /** In a fork, of what was done before it: that stands there, and is left to the run that did it, or had been undone by then. */
  readonly before?: "done" | "undone";
}

/** What a run that has failed or was cancelled undoes before it ends. */
export interface Compensation {
  readonly status: "failed" | "cancelled";
  readonly error: ErrorData;
  readonly at: number;
  /** The executions left to undo; the last one is next. */
  readonly left: Undoing[];
  /** The ids of blocks that failed to undo something. */
  readonly failed: string[];
}

/** A signal: an event that came from outside. */
export interface Signal {
  readonly name: string;
  readonly value: unknown;
  /** Milliseconds after the start. */
  readonly at: number;
  /** How many entries were before it. */
  readonly place: number;
}

/** That a run was stopped for now. */
export interface Suspension {
  /** Whether it was stopped with its caller. */
  readonly withCaller: boolean;
}

/** An execution to undo, and the block that undoes it. */
export interface Undoing {
  readonly block: number;
  readonly of: number;
  readonly outputs: Values | null;
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

export interface PauseState extends Unit {
  readonly entry: PausedEntry;
  readonly metadata: { readonly [name: string]: unknown };
  /** Set by the first valid answer. */
  answer: PauseAnswer | undefined;
  /** How many entries were before the one that took it back without an answer. */
  leftAt?: number;
  /** The event that ended it then, where one did. */
  leftBy?: string;
  forgotten: boolean;
  /** Its time is up, and the block refused the answer of `on_timeout`. */
  isOver: boolean;
  /** Why the block refused the last answer. */
  refusal: ErrorData | undefined;
  /** How many entries belong to the checkpoint of this pause; 0 while siblings of its wave still run. */
  end: number;
  /** The earlier asking of the same question that it replaced. */
  readonly supersedes?: number | undefined;
  /** The later asking of the same question that replaced it. */
  supersededBy?: number;
  /** How often the question had been asked, times in milliseconds after the start; absent for the first asking. */
  asked?: AskedAgain | undefined;
  /** Its place in the order of answers: that of the answer that it replaced, else the place of its own in the journal. */
  rank: number;
  /** A revision withdrew it, for now or for good. */
  withdrawn: boolean;
  /** For a question of a called run: the workflow that the unit called; see {@link Caller}. */
  readonly workflow?: string | undefined;
  /** If the unit had asked to run again by then: how often, and what it carried over. */
  readonly again?: { readonly count: number; readonly carried: unknown };
}

/** The end of a run. */
export function outputsOf({ finished }: RunState): Values | undefined {
  return valuesOf(finished?.outputs) ?? undefined;
}

/** The address of a run that a unit called: its id is made from this and the id of the caller. `workflow` tells it from the first call; see the entry. */
export function callAddress({ compiled }: Pick<RunReading, "compiled">, { block, item }: Unit, workflow: string | undefined): string {
  const name = unitName(compiled.plan.ids[block] ?? "", item);
  return workflow === undefined ? name : `${name}~${workflow}`;
}

/** The address of the run that a unit called last. */
export function addressOf(reading: RunReading, unit: Unit): string {
  return callAddress(reading, unit, unitState(reading.state, unit).caller?.workflow);
}

/** The addresses of all runs that a unit called so far: a revision may make it call another workflow, and a block that repeats calls one each time. */
export function addressesOf(reading: RunReading, unit: Unit): readonly string[] {
  const { workflows = [] } = unitState(reading.state, unit).caller ?? {};
  return workflows.map((workflow) => callAddress(reading, unit, workflow || undefined));
}

/** The name of the unit in an address. */
export function callerIn(address: string): string {
  return address.split("~", 1)[0]!;
}

/** The questions of the runs that a unit called, in all calls so far. */
export function askedInCalls({ pauses }: RunState, { block, item }: Unit): readonly PauseState[] {
  return pauses.filter((pause) => pause.entry.child !== undefined && pause.block === block && pause.item === item);
}

/** The calls of a unit that count, by what tells each from the first one: one for each execution since a revision opened it. */
export function standingCalls(state: RunState, unit: Unit): readonly (string | undefined)[] {
  const latest = new Map<number, string | undefined>([[1, undefined]]);
  for (const workflow of unitState(state, unit).caller?.workflows ?? []) latest.set(iterationOfCall(workflow), workflow || undefined);
  const now = iterationOf(state, unit);
  return [...latest].filter(([iteration]) => iteration <= now).map(([, workflow]) => workflow);
}

/** The execution of its unit that made a call, from 1, by what tells it from the first one. */
export function iterationOfCall(workflow: string | undefined): number {
  return Number(/^#(\d+)/.exec(workflow ?? "")?.[1] ?? 1);
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

/** When the recorded execution began. */
export function begunAt({ at, ms, begunAt: known }: StepRecord): number {
  return known ?? at - ms;
}

/** The record of a unit. */
export function recordOf(state: RunState, { block, item }: Unit): StepRecord | undefined {
  return item === undefined ? state.records.get(block) : state.items.get(block)?.records[item];
}

/** What a unit was given last. Most units were never given anything else: then only the record says it, until it is replaced. */
export function keyOf(state: RunState, unit: Unit): EffectKey | undefined {
  const { key } = unitState(state, unit);
  if (key) return key;
  const given = recordOf(state, unit)?.given;
  return given === undefined ? undefined : { given, k: 0 };
}

/** How many blocks and items of the wave under way have not settled. Compensation runs one block at a time. */
export function unsettledIn({ compensation, unsettled, wave }: RunState): number {
  return compensation ? Math.min(compensation.left.length, 1) : unsettled[wave]!;
}

/** How many blocks and items of a wave wait: the one under way, unless another is given. */
export function waitingIn({ waiting, wave }: RunState, of: number = wave): number {
  return waiting.get(of)?.size ?? 0;
}

export function startWaiting({ waiting }: RunState, wave: number, unit: Unit): void {
  const units = waiting.get(wave);
  if (units) units.add(unitKey(unit));
  else waiting.set(wave, new Set([unitKey(unit)]));
}

export function stopWaiting({ waiting }: RunState, wave: number, unit: Unit): void {
  const units = waiting.get(wave);
  units?.delete(unitKey(unit));
  if (units?.size === 0) waiting.delete(wave);
}

const NONE: readonly never[] = [];

/** The waiting units of all waves: after a revision took the run back, units of later waves keep waiting. */
export function waitingUnits({ waiting, units }: RunState): readonly UnitState[] {
  return waiting.size === 0 ? NONE : [...waiting.values()].flatMap((keys) => [...keys].map((key) => units.get(key)!));
}

/** The units whose called run has to be read: none of its questions is open, or a revision is to be passed on to it. */
export function unaskedCalls(state: RunState): readonly OpenCall[] {
  const callers = waitingUnits(state).filter(({ progress }) => progress.call !== undefined);
  if (callers.length === 0) return [];
  const asking = new Set([...state.open].map((number) => unitKey(state.pauses[number]!)));
  return callers.flatMap((unit) => (asking.has(unitKey(unit)) && !unit.reopened ? [] : [unit.progress.call!]));
}

/** The numbers of the pauses that wait for an answer, in the order of the plan, those of one block in the order they were asked. */
export function openPauses({ open, pauses }: RunState): readonly number[] {
  return [...open].toSorted((a, b) => pauses[a]!.block - pauses[b]!.block || (pauses[a]!.item ?? 0) - (pauses[b]!.item ?? 0) || a - b);
}

/** When a question ends by itself, in milliseconds after the start. Questions that a fork got from its past have no limit, or they might be expired. */
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
export function write(state: RunState, unit: Unit, code: number, record?: StepRecord): void {
  const { block, item } = unit;
  const before = recordOf(state, unit)?.given;
  // The new record will not say it.
  if (before !== undefined && before !== record?.given) changeUnit(state, unit).key ??= { given: before, k: 0 };
  if (item === undefined) {
    state.blocks[block] = code;
    state.records.set(block, record);
    return;
  }
  const items = state.items.get(block)!;
  items.codes[item] = code;
  items.records[item] = record;
}

/** A state with the definition that explains its numbers of blocks. */
export interface RunReading {
  readonly compiled: CompiledWorkflow;
  readonly state: RunState;
}
