import { OPENED, PENDING, SKIPPED_BLOCK } from "./block-code.ts";
import { deadlineOf, type RunState, type Sleeper } from "./state.ts";

/** Run these at the same time. */
export interface Execution {
  readonly do: "execute";
  /** Blocks that have not run, and those of which an item can run. */
  readonly blocks: readonly number[];
  /** Blocks whose instant has come. */
  readonly due: readonly Sleeper[];
  /** Pauses whose answer is given to the block that asked, or whose called run is looked at again. */
  readonly pauses: readonly number[];
}

/** What is to be done next with a run. */
export type Decision =
  | Execution
  /** Nothing is left to do before this instant, in milliseconds after the start. */
  | { readonly do: "sleep"; readonly until: number }
  /** The time of these questions is up. */
  | { readonly do: "expire"; readonly pauses: readonly number[] }
  /** Only answers can move the run on. */
  | { readonly do: "wait" }
  | { readonly do: "finish"; readonly status: "completed" }
  | { readonly do: "finish"; readonly status: "failed"; readonly block: number }
  | { readonly do: "nothing" };

const NOTHING: Decision = { do: "nothing" };
const WAIT: Decision = { do: "wait" };
const COMPLETE: Decision = { do: "finish", status: "completed" };
const NONE: readonly never[] = [];

/**
 * Decides from the state and the time (in milliseconds after the start) alone, so that a first run, a resume, a recovery and a fork take the
 * same way.
 */
export function decide(state: RunState, now: number): Decision {
  if (state.finished) return NOTHING;
  const { plan } = state.compiled;
  if (state.wave === plan.waves.length) return COMPLETE;
  const blocks = pendingBlocks(state);
  const pauses = state.answered.size + state.recheck.size === 0 ? NONE : [...state.answered, ...state.recheck.values()];
  const sleepers = state.sleepers.size === 0 ? NONE : [...state.sleepers.values()];
  const due = sleepers.length === 0 ? NONE : sleepers.filter(({ until }) => until <= now);
  if (blocks.length + due.length + pauses.length > 0) {
    const execution = { do: "execute", blocks, due, pauses } as const;
    return state.items.size === 0 ? execution : state.compiled.items.gather(state, execution);
  }
  // Where the run fails, what is being tried again comes to its end first; what waits for an instant of its own does not hold the run up.
  const deadlines = state.fatal < 0 && state.open.size > 0 ? findDeadlines(state) : NONE;
  const over = deadlines.filter(({ until }) => until <= now);
  if (over.length > 0) return { do: "expire", pauses: over.map(({ pause }) => pause) };
  const awaited = state.fatal < 0 ? [...sleepers, ...deadlines] : sleepers.filter(({ retries }) => retries);
  if (awaited.length > 0) return { do: "sleep", until: awaited.reduce((first, { until }) => Math.min(first, until), Infinity) };
  if (state.fatal >= 0) return { do: "finish", status: "failed", block: state.fatal };
  return WAIT;
}

/** The open questions whose time is limited. Of a called run's question that run decides, and this one follows. */
function findDeadlines(state: RunState): readonly { readonly pause: number; readonly until: number }[] {
  const deadlines: { readonly pause: number; readonly until: number }[] = [];
  for (const pause of state.open) {
    const until = deadlineOf(state, pause);
    if (until !== undefined && state.pauses[pause]!.entry.child === undefined) deadlines.push({ pause, until });
  }
  return deadlines;
}

function pendingBlocks(state: RunState): readonly number[] {
  if (state.unsettled[state.wave] === state.waiting) return NONE;
  const wave = state.compiled.plan.waves[state.wave]!;
  if (wave.length === state.unsettled[state.wave] && state.waiting === 0 && state.items.size === 0) return wave;
  return wave.filter((block) => state.blocks[block] === PENDING || hasPendingItems(state, block));
}

function hasPendingItems(state: RunState, block: number): boolean {
  return state.blocks[block] === OPENED && state.items.get(block)!.codes.includes(PENDING);
}

/**
 * The dependency because of which a block is skipped, or -1. A dependency that failed without `continue_on_error` ends the run before any
 * dependent's wave, so only skipped ones are met here.
 */
export function skippingDependency(state: RunState, block: number): number {
  const { plan } = state.compiled;
  for (let i = plan.dependencyStart[block]!; i < plan.dependencyStart[block + 1]!; i++) {
    if (plan.required[i] === 1 && state.blocks[plan.dependencies[i]!] === SKIPPED_BLOCK) return plan.dependencies[i]!;
  }
  return -1;
}
