import type { Scope } from "../expression/scope.ts";
import { errorData, type ErrorData } from "../model/errors.ts";
import type { SkipReason } from "../model/run.ts";
import { OPENED, PENDING } from "./block-status.ts";
import type { Plan } from "../definition/definition.ts";
import type { ScopedRun } from "./context.ts";
import { lacksDependency, skippedBy } from "./dependencies.ts";
import { keptUnits } from "./kept-units.ts";
import { definitionOf, type RunPlan } from "./run-plan.ts";
import { type RunState, deadlineOf, unaskedCalls, unsettledIn, waitingIn, waitingUnits } from "./state.ts";
import { deliver, type Deliveries } from "./signals.ts";
import type { Sleeper, UnitState } from "./unit-state.ts";
import { unitKey, type Unit, type UnitKey } from "./unit.ts";

/** Run these at the same time. */
export interface Execution {
  readonly do: "execute";
  /** Blocks that have not run, and those of which an item has not. */
  readonly blocks: readonly number[];
  /** Blocks and items whose instant has come. */
  readonly due: readonly Due[];
  /** Pauses whose answer is given to the block that asked, or whose called run is looked at. */
  readonly pauses: readonly number[];
}

/** A block or item that goes on, and what with. */
export interface Due extends Unit {
  readonly pause: number | undefined;
  /** The signal, by its id. */
  readonly signal?: string | undefined;
}

/** A question whose time is up, or that an event ends. */
export interface Ending {
  readonly pause: number;
  /** The signal, by its id. */
  readonly signal?: string | undefined;
}

/** A block or item that is left out. */
export interface Skip extends Unit {
  readonly reason: SkipReason;
}

/** A block whose condition cannot be evaluated. */
export interface Refusal extends Unit {
  readonly error: ErrorData;
}

/** The calls that were looked at, by unit, each with the answers that it had then. */
export type Looked = ReadonlyMap<UnitKey, number>;

/** What a decision goes by beside the state. */
export interface View {
  /** What the expressions of the run see of that state. */
  readonly scope: Scope;
  /**
   * What a process that executes the run has looked at: a called run may go on without its caller, so each such process looks once, and again after
   * each answer. Without it, for one that only follows, a call is due where nothing of it is asked any more.
   */
  readonly looked?: Looked | undefined;
}

/** What is to be done next with a run. */
export type Decision =
  | Execution
  /** Leave these out. */
  | { readonly do: "skip"; readonly skips: readonly Skip[] }
  /** Let these fail: that cannot come out otherwise another time. */
  | { readonly do: "fail"; readonly refusals: readonly Refusal[] }
  /** Nothing is left to do before this instant, in milliseconds after the start. */
  | { readonly do: "sleep"; readonly until: number }
  /** The time of these questions is up, or an event ends them. */
  | { readonly do: "expire"; readonly ends: readonly Ending[] }
  /** What was recorded of these units before a revision holds again: they are given the same. */
  | { readonly do: "keep"; readonly units: readonly Unit[] }
  /** Only answers can move the run on, or that it is resumed. */
  | { readonly do: "wait" }
  | { readonly do: "finish"; readonly status: "completed" }
  /** All that it did is undone. */
  | { readonly do: "finish"; readonly status: "compensated" }
  | { readonly do: "finish"; readonly status: "failed"; readonly block: number }
  | { readonly do: "nothing" };

const NOTHING: Decision = { do: "nothing" };
const WAIT: Decision = { do: "wait" };
const COMPLETE: Decision = { do: "finish", status: "completed" };
const COMPENSATED: Decision = { do: "finish", status: "compensated" };
const NONE: readonly never[] = [];

/**
 * Decides from the definition, the state, the time (in milliseconds after the start) and the view alone, so that a first run, a resume, a recovery and a fork take the
 * same way.
 */
export function decide(runPlan: RunPlan, state: RunState, now: number, { scope, looked }: View): Decision {
  if (state.finished || state.transferredTo !== undefined) return NOTHING;
  if (state.suspension) return WAIT;
  const compiled = definitionOf(runPlan, state);
  const { plan } = compiled;
  if (state.compensation?.left.length === 0) return COMPENSATED;
  if (state.wave === plan.waves.length) return COMPLETE;
  const blocks = pendingBlocks(plan, state);
  const run: ScopedRun = { compiled, state, scope };
  if (state.answered.size > 0 || blocks.some((block) => isDoubtful(run, block))) {
    const { skips, refusals } = judge(run, blocks);
    if (skips.length > 0) return { do: "skip", skips };
    if (refusals.length > 0) return { do: "fail", refusals };
  }
  const kept = state.revisions === 0 ? NONE : keptUnits(run, blocks);
  if (kept.length > 0) return { do: "keep", units: kept };
  const waiting = waitingUnits(state);
  const sleepers = waiting.length === 0 ? NONE : findSleepers(waiting);
  const delivered = deliver(state);
  const due = sleepers.length === 0 ? NONE : sleepers.flatMap((one) => findDue(one, { now, looked, delivered }));
  const pauses = state.answered.size + waiting.length === 0 ? NONE : [...state.answered, ...dueCalls(state, waiting, looked)];
  if (blocks.length + due.length + pauses.length > 0) return { do: "execute", blocks, due, pauses };
  // Where the run fails, what is being tried again comes to its end first; what waits for an instant of its own does not hold the run up.
  const deadlines = state.fatal < 0 && state.open.size > 0 ? findDeadlines(state) : NONE;
  const over: Ending[] = [...delivered.pauses].map(([pause, signal]) => ({ pause, signal }));
  over.push(...deadlines.filter(({ pause, until }) => until <= now && !delivered.pauses.has(pause)));
  if (over.length > 0 && state.fatal < 0) return { do: "expire", ends: over };
  const awaited = state.fatal < 0 ? [...sleepers, ...deadlines] : sleepers.filter(({ retries }) => retries);
  const first = awaited.reduce((earliest, { until = Infinity }) => Math.min(earliest, until), Infinity);
  if (first < Infinity) return { do: "sleep", until: first };
  if (state.fatal >= 0) return { do: "finish", status: "failed", block: state.fatal };
  return WAIT;
}

/** Whether there is something to do now. */
export function isDue({ do: next }: Decision): boolean {
  return next !== "sleep" && next !== "wait" && next !== "nothing";
}

function findSleepers(waiting: readonly UnitState[]): readonly (Unit & Sleeper)[] {
  return waiting.flatMap(({ block, item, progress: { sleeper } }) => (sleeper ? { block, item, ...sleeper } : []));
}

interface Moment {
  readonly now: number;
  readonly looked: Looked | undefined;
  readonly delivered: Deliveries;
}

/** What is due of a unit that waits: its signal is there, its instant has come, or the run that it called was not looked at. */
function findDue(
  { block, item, pause, until, events, signal: before }: Unit & Sleeper,
  { now, looked, delivered }: Moment,
): readonly Due[] {
  const key = unitKey({ block, item });
  const signal = delivered.units.get(key);
  if (signal !== undefined) return [{ block, item, pause, signal }];
  const isUnseen = until === undefined && events === undefined && looked !== undefined && !looked.has(key);
  return isUnseen || (until !== undefined && until <= now) ? [{ block, item, pause, signal: before }] : NONE;
}

/** The questions by which called runs are looked at. */
function dueCalls(state: RunState, waiting: readonly UnitState[], looked: Looked | undefined): readonly number[] {
  if (!looked) return unaskedCalls(state).map(({ pause }) => pause);
  return waiting.flatMap((unit) => {
    const { call } = unit.progress;
    return call && looked.get(unitKey(unit)) !== call.answers ? call.pause : [];
  });
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

function pendingBlocks(plan: Plan, state: RunState): readonly number[] {
  if (unsettledIn(state) === waitingIn(state)) return NONE;
  if (state.compensation) return [state.compensation.left.at(-1)!.block];
  const wave = plan.waves[state.wave]!;
  if (wave.length === state.unsettled[state.wave] && waitingIn(state) === 0 && state.items.size === 0) return wave;
  return wave.filter((block) => state.blocks[block] === PENDING || hasPendingItems(state, block));
}

function hasPendingItems(state: RunState, block: number): boolean {
  return state.blocks[block] === OPENED && state.items.get(block)!.codes.includes(PENDING);
}

interface Verdicts {
  readonly skips: readonly Skip[];
  readonly refusals: readonly Refusal[];
}

/** What is not executed: questions that were left out, and of the pending blocks those that a dependency or their condition keeps from running. */
function judge(run: ScopedRun, pending: readonly number[]): Verdicts {
  const { state } = run;
  const skips: Skip[] = [];
  const refusals: Refusal[] = [];
  for (const number of state.answered) {
    const { block, item, answer } = state.pauses[number]!;
    if (answer!.action === "skip") skips.push({ block, ...(item === undefined ? {} : { item }), reason: { kind: "left-out" } });
  }
  for (const block of pending) {
    if (state.blocks[block] !== PENDING) continue;
    try {
      const reason = reasonToSkip(run, block);
      if (reason) skips.push({ block, reason });
    } catch (thrown) {
      refusals.push({ block, error: errorData(thrown, "EXPRESSION_TYPE") });
    }
  }
  return { skips, refusals };
}

/** Most blocks have no condition, and nothing that they need was skipped. */
function isDoubtful(run: ScopedRun, block: number): boolean {
  return run.compiled.plan.judged[block] === 1 || lacksDependency(run, block);
}

function reasonToSkip(run: ScopedRun, block: number): SkipReason | undefined {
  const { compiled, scope } = run;
  const reason = skippedBy(run, block);
  if (reason) return reason;
  const { condition } = compiled.workflow.blocks[block]!;
  if (condition === undefined || compiled.block(block).holds(scope)) return undefined;
  return { kind: "condition", condition: String(condition) };
}
