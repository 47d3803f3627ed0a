import type { Scope } from "../expression/scope.ts";
import type { CheckpointRow } from "../model/checkpoint.ts";
import type { ErrorData } from "../model/errors.ts";
import type { FinishedEntry, PausedEntry, StartedEntry } from "../model/journal.ts";
import type { RunStatus, SkipReason } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import type { CompiledWorkflow } from "./compile.ts";

/**
 * What a journal says about a run, folded. Changed in place by `transition` and by nothing else: copying the state of n blocks for each of
 * n entries would be quadratic.
 */
export interface RunState {
  readonly id: string;
  readonly compiled: CompiledWorkflow;
  readonly started: StartedEntry;
  /** What expressions see of this state. */
  scope: Scope;
  /** How many entries were folded. */
  entries: number;
  /** `at` of the newest entry, in milliseconds after the start. */
  lastAt: number;
  /** State code of each block. */
  readonly blocks: Uint8Array;
  readonly records: (StepRecord | undefined)[];
  /** The first wave that is not finished; the number of waves once all are. */
  wave: number;
  /** How many blocks of each wave have not settled. */
  readonly unsettled: Int32Array;
  /** How many blocks wait for an answer. */
  waiting: number;
  /** The block whose failure fails the run, or -1. */
  fatal: number;
  readonly pauses: PauseState[];
  /** Numbers of the pauses without an answer, in the order they were asked. */
  readonly open: Set<number>;
  /** Numbers of the pauses whose answer the block has not yet taken note of. */
  readonly answered: Set<number>;
  /** Blocks that wait for a called run of which they should look how it stands. */
  readonly recheck: Set<number>;
  /** How many entries there were when each wave had finished; 0 where it has not. */
  readonly waveEnds: Int32Array;
  readonly forgottenWaves: Set<number>;
  /** Blocks that called another workflow. */
  readonly callers: Set<number>;
  /** Blocks that failed before and run again. */
  readonly retrying: Set<number>;
  finished: FinishedEntry | undefined;
  outputs: Values | undefined;
  /** Checkpoints that came into being and are not yet in the store's index. Taken by whoever writes them. */
  fresh: CheckpointRow[];
}

export interface StepRecord {
  readonly at: number;
  readonly ms: number;
  readonly outputs?: Values | null;
  readonly error?: ErrorData;
  readonly skipped?: SkipReason;
}

export interface PauseState {
  readonly block: number;
  readonly entry: PausedEntry;
  readonly metadata: { readonly [name: string]: unknown };
  /** Set by the first valid answer. */
  answer: { readonly response: unknown } | undefined;
  /** The block has taken note of the answer, or has settled otherwise. */
  closed: boolean;
  forgotten: boolean;
  /** Why the block refused the last answer. */
  refusal: ErrorData | undefined;
  /** How many entries belong to the checkpoint of this pause; 0 while siblings of its wave still run. */
  end: number;
}

/** The state of a run of which nothing has happened but its start. */
export function initialState(id: string, compiled: CompiledWorkflow, started: StartedEntry): RunState {
  const { plan } = compiled;
  const unsettled = new Int32Array(plan.waves.length);
  for (let wave = 0; wave < plan.waves.length; wave++) unsettled[wave] = plan.waves[wave]!.length;
  const state: RunState = {
    id,
    compiled,
    started,
    scope: { lookup: (path) => compiled.lookUp(state, path) },
    entries: 1,
    lastAt: 0,
    blocks: new Uint8Array(plan.ids.length),
    records: [],
    wave: 0,
    unsettled,
    waiting: 0,
    fatal: -1,
    pauses: [],
    open: new Set(),
    answered: new Set(),
    recheck: new Set(),
    waveEnds: new Int32Array(plan.waves.length),
    forgottenWaves: new Set(),
    callers: new Set(),
    retrying: new Set(),
    finished: undefined,
    outputs: undefined,
    fresh: [],
  };
  return state;
}

/** The status a list of runs shows. */
export function statusOf(state: RunState): RunStatus {
  if (state.finished) return state.finished.status;
  return state.open.size > 0 && isQuiet(state) ? "paused" : "running";
}

/** Whether nothing of the run can execute: every block of the current wave has settled or waits for an answer that is not there. */
export function isQuiet(state: RunState): boolean {
  // The end of the run has yet to be written.
  if (state.fatal >= 0) return false;
  if (state.wave >= state.unsettled.length) return true;
  return state.unsettled[state.wave] === state.waiting && state.answered.size === 0 && state.recheck.size === 0;
}

/** The numbers of the pauses that wait for an answer, in the order of the plan, those of one block in the order they were asked. */
export function openPauses({ open, pauses }: RunState): readonly number[] {
  return [...open].toSorted((a, b) => pauses[a]!.block - pauses[b]!.block || a - b);
}
