import type { JsonSchema } from "../model/json-schema.ts";
import type { FilesRead, RevisedEntry, Writes } from "../model/journal.ts";
import type { StoredFile } from "../model/run-file.ts";
import type { Values } from "../model/value.ts";
import type { Block } from "../model/workflow.ts";
import type { StepRecord } from "./step-records.ts";
import { unitKey, type Unit, type UnitKey } from "./unit.ts";

/** What is known of a unit beside its state code and its record. Most units of a run in which nothing asks have none. */
export interface UnitState extends Unit {
  progress: UnitProgress;
  /** The revision that opened it last, by its number; 0 where none did. */
  turn: number;
  /** What it had come to before a revision opened it: that holds again where it is given the same. */
  candidate?: Candidate | undefined;
  /** Its askings before a revision opened it, by their places. */
  former?: readonly (number | undefined)[] | undefined;
  /** It must not run twice and was about to be executed, and the outcome is unknown. */
  begun?: Begun | undefined;
  /** It must not run twice and was executed. */
  effect?: Effect | undefined;
  /** What it was given last, and how often that changed: its idempotency key goes by it. Absent where its record says it all; see {@link keyOf}. */
  key?: EffectKey;
  /** What its executions stored under keys of their own, by what they were given apart from answers, and by key. */
  memos?: Map<string, Map<string, Memo>> | undefined;
  /** Files of the run that it read, each as it found it first: where one is another now, it is given something else. */
  read?: FilesRead;
  /** Set where it called a workflow. */
  caller?: Caller;
  /** Revisions that are yet to be passed on to the run that it called. */
  reopened?: readonly Reopening[] | undefined;
  /** How many entries each run had that it called, when it looked last, by what tells the call from others; see {@link Caller}. */
  childEntries?: Map<string, number>;
  /** Of a block that gave something else after a revision: how many entries there were then. */
  changedAt?: number;
  /** Of a block that a revision opened: the items it had, until it has items again. */
  formerItems?: Items | undefined;
}

/** What a unit has come to since it began. A revision takes it away as a whole; where it is kept, it comes back so. */
export interface UnitProgress {
  /** Its askings that count, in their order. */
  asked: readonly number[];
  /** For what it waits, where that is no answer. */
  sleeper?: Sleeper | undefined;
  /** The signals that it has taken, by their ids. */
  signals?: Map<string, TakenSignal>;
  /** Set while it waits for a run that it called. */
  call?: OpenCall | undefined;
  /** Set where it asked to run again. */
  loop?: Loop | undefined;
  /** What it changed of channels, by iteration; until that is part of what the run itself holds. */
  deltas?: (Delta | undefined)[] | undefined;
  /** In a preview: it is taken to have completed, and which files it wrote is not known. */
  isAssumed?: true;
  /** The files that it wrote. */
  files?: readonly UnitFile[] | undefined;
  /** The blocks that it added, by iteration. */
  added?: readonly Addition[] | undefined;
  /** How often it failed and was tried again. */
  retries?: number | undefined;
  /** How often another process found that it may have been executed, and executed it again. */
  recoveries?: number | undefined;
  /** It failed before, and runs again because its run was resumed. */
  isRevived?: boolean;
}

/** The blocks that one execution added. */
export interface Addition {
  /** From 0. */
  readonly iteration: number;
  readonly blocks: readonly Block[];
}

/** A file that a unit wrote. */
export interface UnitFile extends StoredFile {
  /** In which of its executions, from 0. */
  readonly iteration: number;
}

/** The changes that an execution made to channels. */
export interface Delta {
  readonly writes: Writes;
}

/** When a unit continues. */
export interface Sleeper {
  /** An instant, in milliseconds after the start. Where there is none, it waits for events alone, or for the run that it called. */
  readonly until: number | undefined;
  readonly events?: readonly string[] | undefined;
  /** What the value of the signal must look like. */
  readonly schema?: JsonSchema | undefined;
  /** Whether it failed and is tried again then. */
  readonly retries: boolean;
  /** The instant for which it had waited before it failed. */
  readonly woken: number | undefined;
  /** The signal with which it had gone on before it failed. */
  readonly signal?: string | undefined;
  /** The pause whose answer it goes on with. */
  readonly pause: number | undefined;
}

/** When a unit took a signal. */
export interface TakenSignal {
  /** How many questions it had asked by then. */
  readonly asked: number;
  /** How often it had run before. */
  readonly past: number;
}

/** What a unit waits for that called a workflow. */
export interface OpenCall {
  /** The question of the called run that was asked or answered last. */
  readonly pause: number;
  /** How many of its questions were answered since the unit began to wait. */
  readonly answers: number;
}

/** The executions of a unit that asked to run again. */
export interface Loop {
  /** One for each, one at least; `ms` counts those before it too. */
  readonly past: StepRecord[];
  /** What the last of them gave to the next one. */
  readonly carried: unknown;
}

/** What was recorded last of a unit before a revision opened it. */
export interface Candidate {
  readonly code: number;
  readonly record: StepRecord | undefined;
  /** What it was given; absent where it cannot hold again. */
  readonly given: string | undefined;
  readonly progress: UnitProgress;
  /** Those of its askings that were open, or whose answer it had yet to take. */
  readonly live: readonly number[];
}

/** An execution that must not happen twice. */
export interface Begun {
  /** The pause with whose answer the unit was executed. */
  readonly pause: number | undefined;
  /** The instant for which it had waited. */
  readonly woken: number | undefined;
  /** The signal with which it was executed. */
  readonly signal?: string | undefined;
  /** What it was given. */
  readonly given: string | undefined;
  /** Whether a person said that it may be executed again. */
  readonly isCleared: boolean;
}

/** A completed execution of what must not run twice. */
export interface Effect {
  readonly given: string | undefined;
  readonly outputs: Values | null;
  /** What it chose to follow; see the entry. */
  readonly next?: readonly string[] | undefined;
}

/** What is known of executions of a unit that must not run twice. */
export type KnownEffect = Pick<UnitState, "begun" | "effect">;

/** What a unit was given last, and how often it was given something else before. */
export interface EffectKey {
  readonly given: string;
  readonly k: number;
}

/** A value that an execution stored before it ended. */
export interface Memo {
  /** What the execution was given. */
  readonly given: string;
  readonly held: unknown;
}

/** What a unit called. */
export interface Caller {
  /** What tells its last call from the first one: see the entry. Nothing where that is the first one. */
  readonly workflow?: string | undefined;
  /** The same of all its calls so far, whose runs stay: in the order in which each was made last. The first one has an empty text. */
  readonly workflows: readonly string[];
}

/** A revision of a question of a called run. */
export interface Reopening extends Pick<RevisedEntry, "response" | "action"> {
  /** The workflow that the unit had called by then; see {@link Caller}. */
  readonly workflow?: string | undefined;
  readonly cause: number;
  readonly calls: readonly string[];
  readonly inner: number;
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

/** A state in which units stand. */
export interface UnitStates {
  /** What is known of blocks and items beside their codes and records, where there is anything to know. */
  readonly units: Map<UnitKey, UnitState>;
  /** How many entries were folded. */
  entries: number;
  /** How many revisions there were: of answers, or of all inputs. */
  revisions: number;
}

const NOTHING: Readonly<UnitState> = { block: -1, turn: 0, progress: Object.freeze({ asked: [] }) };

/** What is known of a unit. */
export function unitState({ units }: UnitStates, unit: Unit): Readonly<UnitState> {
  return units.get(unitKey(unit)) ?? NOTHING;
}

/** The same, to be changed by a fold. */
export function changeUnit({ units }: UnitStates, unit: Unit): UnitState {
  const key = unitKey(unit);
  let known = units.get(key);
  if (!known) units.set(key, (known = { block: unit.block, item: unit.item, turn: 0, progress: { asked: [] } }));
  return known;
}

/** The units that called another workflow. */
export function callersOf({ units }: UnitStates): readonly UnitState[] {
  return [...units.values()].filter(({ caller }) => caller !== undefined);
}

/** That a call of a unit is the last one now, by what tells it from the first one. */
export function noteCall(unit: UnitState, workflow: string | undefined): void {
  const others = unit.caller?.workflows.filter((one) => one !== (workflow ?? "")) ?? [];
  unit.caller = { workflow, workflows: [...others, workflow ?? ""] };
}

/** The revision that opened a unit last, by its number; 0 where none did. */
export function turnOf(state: UnitStates, { block, item }: Unit): number {
  if (state.revisions === 0) return 0;
  const { turn } = unitState(state, { block, item });
  return item === undefined ? turn : Math.max(turn, unitState(state, { block }).turn);
}

/** How often a unit runs, the execution under way counted. */
export function iterationOf(state: UnitStates, unit: Unit): number {
  return (unitState(state, unit).progress.loop?.past.length ?? 0) + 1;
}

/** The instant for which a unit waits, or had waited before it failed. */
export function wokenFor(sleeper: Sleeper | undefined): number | undefined {
  return sleeper?.retries ? sleeper.woken : sleeper?.until;
}

/** The block of a unit gave something else than before a revision. */
export function noteChange(state: UnitStates, { block }: Unit): void {
  changeUnit(state, { block }).changedAt = state.entries;
}
