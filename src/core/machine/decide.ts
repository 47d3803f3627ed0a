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
  /** Blocks that have not run, or have items that have not. */
  readonly blocks: readonly number[];
  /** Blocks and items whose instant has come. */
  readonly due: readonly Due[];
  /** Pauses whose answer goes to the block that asked, or whose called run is read. */
  readonly pauses: readonly number[];
}

/** A block or item that continues, and with what. */
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

/** A block or item to skip. */
export interface Skip extends Unit {
  readonly reason: SkipReason;
}

/** A block whose condition cannot be evaluated. */
export interface Refusal extends Unit {
  readonly error: ErrorData;
}

/** The calls that were read, by unit, each with the number of answers that it had then. */
export type Looked = ReadonlyMap<UnitKey, number>;

/** What a decision needs beside the state. */
export interface View {
  /** What expressions see of that state. */
  readonly scope: Scope;
  /**
   * What a process that executes the run has read. A called run may continue without its caller, so each such process reads it once, and again after
   * each answer. Without this, as in a process that only follows, a call is due when none of its questions is open.
   */
  readonly looked?: Looked | undefined;
}

/** What is to be done next with a run. */
export type Decision =
  | Execution
  /** Skip these. */
  | { readonly do: "skip"; readonly skips: readonly Skip[] }
  /** Fail these: another time would give the same. */
  | { readonly do: "fail"; readonly refusals: readonly Refusal[] }
  /** Nothing is left to do before this instant, in milliseconds after the start. */
  | { readonly do: "sleep"; readonly until: number }
  /** The time of these questions is up, or an event ends them. */
  | { readonly do: "expire"; readonly ends: readonly Ending[] }
  /** The records of these units from before a revision hold again: their inputs are the same. */
  | { readonly do: "keep"; readonly units: readonly Unit[] }
  /** Only an answer, or resuming it, can move the run on. */
  | { readonly do: "wait" }
  | { readonly do: "finish"; readonly status: "completed" }
  /** The run has undone all that it did. */
  | { readonly do: "finish"; readonly status: "compensated" }
  | { readonly do: "finish"; readonly status: "failed"; readonly block: number }
  | { readonly do: "nothing" };

const NOTHING: Decision = { do: "nothing" };
const WAIT: Decision = { do: "wait" };
const COMPLETE: Decision = { do: "finish", status: "completed" };
const COMPENSATED: Decision = { do: "finish", status: "compensated" };
const NONE: readonly never[] = [];

/**
 * Decides what is next, from the definition, the state, the time (in milliseconds after the start) and the view alone. So a first run, a resume, a
 * recovery and a fork take the same way.
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
  // A failing run lets retries end first. It does not wait for blocks that wait for an instant of their own.
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

/** Whether a waiting unit is due: its signal is there, its instant has come, or its called run was not read yet. */
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

/** The questions whose called runs are due to be read. */
function dueCalls(state: RunState, waiting: readonly UnitState[], looked: Looked | undefined): readonly number[] {
  if (!looked) return unaskedCalls(state).map(({ pause }) => pause);
  return waiting.flatMap((unit) => {
    const { call } = unit.progress;
    return call && looked.get(unitKey(unit)) !== call.answers ? call.pause : [];
  });
}

/** The open questions with a time limit. A called run decides about its own questions, and this one follows. */
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

/** What to skip: blocks whose question was skipped, and pending blocks that a dependency or their condition keeps from running. */
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

/** Whether a block may have to be skipped. Most need no closer look: they have no condition, and nothing that they need was skipped. */
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
