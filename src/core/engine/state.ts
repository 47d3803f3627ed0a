import type { Scope } from "../expression/scope.ts";
import type { CheckpointRow } from "../model/checkpoint.ts";
import type { ErrorData } from "../model/errors.ts";
import type { AnsweredEntry, FinishedEntry, PausedEntry, RevisesEntry, StartedEntry } from "../model/journal.ts";
import type { RunStatus, SkipReason } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import type { BlockItem } from "../ports/block.ts";
import { PENDING } from "./block-code.ts";
import type { CompiledWorkflow } from "./compile.ts";
import { StepRecords } from "./step-records.ts";
import type { Unit, UnitKey } from "./unit.ts";

/**
 * What a journal says about a run, folded. Changed in place by `transition` and by nothing else: copying the state of n blocks for each of
 * n entries would be quadratic.
 */
export interface RunState {
  readonly id: string;
  compiled: CompiledWorkflow;
  started: StartedEntry;
  /** Hash of the definition the run goes on with: the one it was started with, unless it moved to another. */
  definition: string;
  /** Hashes of those it had before. */
  readonly formerly: string[];
  /** The wave of each block, where the run moved and not all blocks stand where the plan of the definition has them. */
  waveOf: Int32Array | undefined;
  /** The definitions to which entries that are about to be folded move the run, by hash. */
  definitions: ReadonlyMap<string, CompiledWorkflow> | undefined;
  /** What expressions see of this state. */
  scope: Scope;
  /** When the run came to be, in milliseconds after the start: a fork later than the past it shares. */
  madeAt: number;
  /** How many entries were folded. */
  entries: number;
  /** How many of them are no longer kept one by one. */
  base: number;
  /** How many of them need not be read to read the run: those before the newest base or snapshot. */
  spared: number;
  /** Characters of the entries that hold its values. */
  size: number;
  /** Characters of the entries behind the newest base or snapshot. */
  tail: number;
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
  /** How many blocks and items wait for an answer or for an instant. */
  waiting: number;
  /** Those that wait for an instant. */
  readonly sleepers: Map<UnitKey, Sleeper>;
  /** Units that ran more than once because they asked to, with what they carry over. */
  readonly iterations: Map<UnitKey, { readonly count: number; readonly carried: unknown }>;
  /** How often units asked to run again. */
  supersteps: number;
  /** How often a unit failed and was tried again. */
  readonly retries: Map<UnitKey, number>;
  /** Units with `effect: once` that were about to be executed, as long as nobody knows how that ended. */
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
  /** The newest pause of each unit that waits for a called run and should look how that stands. */
  readonly recheck: Map<UnitKey, number>;
  /** How many entries there were when each superstep had ended: a wave, or a round of blocks that asked to run again. */
  readonly ends: number[];
  /** Units that asked to run again in the superstep under way. */
  readonly round: Set<UnitKey>;
  /** Supersteps whose checkpoint was deleted. */
  readonly forgottenEnds: Set<number>;
  /** Units that called another workflow. */
  readonly callers: Map<UnitKey, Unit>;
  /** Units that failed before and run again because their run was resumed. */
  readonly reviving: Set<UnitKey>;
  /** Set where finished steps of another run are taken over as long as they come out the same. */
  revises: Revision | undefined;
  finished: FinishedEntry | undefined;
  outputs: Values | undefined;
  /** How often the run was handed over to another store. */
  ownership: number;
  /** Where it went, while it is not here: nothing but its return may follow. */
  transferredTo: string | undefined;
  /** Checkpoints that came into being and are not yet in the store's index. Taken by whoever writes them. */
  fresh: CheckpointRow[];
  /** Numbers of pauses that take no answer any more, and whose drafts go. Taken by whoever writes. */
  gone: number[];
}

/** An execution that must not happen twice. */
export interface Begun {
  /** The pause with whose answer the unit was executed. */
  readonly pause: number | undefined;
  /** The instant for which it had waited. */
  readonly woken: number | undefined;
  /** Whether somebody said that it may be executed again. */
  readonly isCleared: boolean;
}

/** A unit that goes on at an instant, in milliseconds after the start. */
export interface Sleeper extends Unit {
  readonly until: number;
  /** Whether it failed and is tried again then. */
  readonly retries: boolean;
  /** The instant for which it had waited before it failed. */
  readonly woken: number | undefined;
  /** The pause whose answer it goes on with. */
  readonly pause: number | undefined;
}

/** The items of one block. */
export interface Items {
  readonly keys: readonly string[];
  /** State code of each. */
  readonly codes: Uint8Array;
  readonly records: (StepRecord | undefined)[];
  /** How many have not settled. */
  left: number;
}

export interface StepRecord {
  readonly at: number;
  readonly ms: number;
  /** When it began, where it waited since then; otherwise that is `ms` before `at`. */
  readonly begunAt?: number;
  readonly attempts?: number;
  readonly until?: number;
  readonly outputs?: Values | null;
  readonly error?: ErrorData;
  readonly skipped?: SkipReason;
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

/** What a run takes over from another one. */
export interface Revision extends Omit<RevisesEntry, "type"> {
  /** How many entries were before it. */
  readonly place: number;
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
}

/** The state of a run of which nothing has happened but its start. */
export function initialState(id: string, compiled: CompiledWorkflow, started: StartedEntry): RunState {
  const { plan } = compiled;
  const unsettled = new Int32Array(plan.waves.length);
  for (let block = 0; block < plan.ids.length; block++) unsettled[plan.waveOf[block]!]!++;
  const state: RunState = {
    id,
    compiled,
    started,
    definition: started.definition,
    formerly: [],
    waveOf: undefined,
    definitions: undefined,
    scope: { lookup: (path) => compiled.lookUp(state, path) },
    madeAt: 0,
    entries: 1,
    base: 0,
    spared: 0,
    size: 0,
    tail: 0,
    lastAt: 0,
    blocks: new Uint8Array(plan.ids.length),
    records: new StepRecords(),
    wave: 0,
    items: new Map(),
    unsettled,
    waiting: 0,
    sleepers: new Map(),
    iterations: new Map(),
    supersteps: 0,
    retries: new Map(),
    begun: new Map(),
    recoveries: new Map(),
    fatal: -1,
    pauses: [],
    open: new Set(),
    answered: new Set(),
    recheck: new Map(),
    ends: [],
    round: new Set(),
    forgottenEnds: new Set(),
    callers: new Map(),
    reviving: new Set(),
    revises: undefined,
    finished: undefined,
    outputs: undefined,
    ownership: 0,
    transferredTo: undefined,
    fresh: [],
    gone: [],
  };
  return state;
}

/** The status a list of runs shows. */
export function statusOf(state: RunState): RunStatus {
  if (state.finished) return state.finished.status;
  return state.open.size > 0 && isQuiet(state) ? "paused" : "running";
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

/** When what is recorded began. */
export function begunAt({ at, ms, begunAt: known }: StepRecord): number {
  return known ?? at - ms;
}

/** What is recorded of a unit. */
export function recordOf(state: RunState, { block, item }: Unit): StepRecord | undefined {
  return item === undefined ? state.records.get(block) : state.items.get(block)?.records[item];
}

/** Whether nothing of the run can execute: everything in the current wave has settled, or waits for an answer that is not there or an instant. */
export function isQuiet(state: RunState): boolean {
  // The end of the run has yet to be written.
  if (state.fatal >= 0) return false;
  if (state.wave >= state.unsettled.length) return true;
  return state.unsettled[state.wave] === state.waiting && state.answered.size === 0 && state.recheck.size === 0;
}

/** The numbers of the pauses that wait for an answer, in the order of the plan, those of one block in the order they were asked. */
export function openPauses({ open, pauses }: RunState): readonly number[] {
  return [...open].toSorted((a, b) => pauses[a]!.block - pauses[b]!.block || (pauses[a]!.item ?? 0) - (pauses[b]!.item ?? 0) || a - b);
}

/**
 * When a question ends by itself, in milliseconds after the start. Nobody forks a run to find that the time was up: in a fork the questions
 * from before wait as long as it takes.
 */
export function deadlineOf({ pauses, madeAt }: RunState, pause: number): number | undefined {
  const { at, until } = pauses[pause]!.entry;
  return at >= madeAt ? until : undefined;
}

/** Sets the state and the record of a unit. */
export function put(state: RunState, unit: Unit, code: number, given: StepRecord | undefined): void {
  const { block, item } = unit;
  const before = given && recordOf(state, unit);
  const record = before ? { ...given, begunAt: begunAt(before) } : given;
  if (item === undefined) {
    state.blocks[block] = code;
    state.records.set(block, record);
    return;
  }
  const items = state.items.get(block)!;
  items.codes[item] = code;
  items.records[item] = record;
}
