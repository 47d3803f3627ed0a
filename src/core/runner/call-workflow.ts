import { WorkflowError, isConflict, isWorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import { MAX_CALLED_RUNS, MAX_CALL_DEPTH } from "../model/limits.ts";
import type { ChildResult } from "../ports/block.ts";
import type { PlatformSignal } from "../ports/host.ts";
import { codeOf, PENDING, type RunState, type Unit, unitKey, unitState } from "../machine/machine.ts";
import { findCall } from "./called-run.ts";
import { cancelCalledRuns, cancelRun, recordCancelled } from "./cancel-run.ts";
import type { HeldRun } from "./held-run.ts";
import type { RunnerServices, StartRequest } from "./services.ts";
import type { Session } from "../journal/journal.ts";
import { liftSuspension } from "./stop-run.ts";
import { enterFirst, passOn } from "./pass-revision-on.ts";
import { type Call, nameUnit, type StepContext } from "./step-context.ts";
import { withTimeLimit } from "./time-limit.ts";
import { withSecrets } from "./with-secrets.ts";

/** A call under way: the run that calls, and the step whose block asked for it. */
interface Calling extends Call {
  readonly services: RunnerServices;
  readonly caller: HeldRun;
  readonly step: StepContext;
}

/**
 * Runs a workflow as the child of a block. The child's id follows from the caller, so that it is found again after a crash: a finished one
 * is taken as it is, an unfinished one goes on, and one that failed is tried again only where the caller is. What a revision changed in the caller is
 * passed on to it first.
 */
export function callWorkflow(services: RunnerServices, caller: HeldRun, step: StepContext, call: Call): Promise<ChildResult> {
  const work = (): Promise<ChildResult> => callInTime(services, caller, step, call);
  const { timeoutMs } = call;
  return timeoutMs === undefined || step.definition.timeoutMs !== undefined ? work() : withTimeLimit(step, timeoutMs, work, { idle: true });
}

async function callInTime(services: RunnerServices, caller: HeldRun, step: StepContext, call: Call): Promise<ChildResult> {
  const { unit, signal, state } = step;
  const calling: Calling = { ...call, services, caller, step };
  const { found, address, other } = await findCall(services, caller.session, unit, call.workflow);
  // The run may have been cancelled while it was looked for: then nothing is called any more.
  if (signal.aborted) throw signal.reason;
  const child = await (found ? takeUp(calling, found, other) : startCalled(calling, address, other));
  shareCalls(caller, child);
  step.place.display.setChild(unit, child.id);
  if (isTriedAgain(state, unit)) await reviveCalled(services, child);
  await passOn(services, caller, child, { step, inputs: call.inputs });
  // Answers may have reached it without its caller, or a crash kept its caller from noting them.
  await takeReplies(calling, child);
  step.place.looked.set(unitKey(unit), unitState(state, unit).progress.call?.answers ?? 0);
  const result = await follow(calling, child);
  step.childEntries = child.session.state.entries;
  const { started, lastAt } = child.session.state;
  const { ids, waves } = child.session.compiled.plan;
  return {
    result: await openResult(services, child.session, { result, signal }),
    workflow: started.workflow,
    executionTimeMs: lastAt,
    totalBlocks: ids.length,
    executionWaves: waves.length,
  };
}

async function startCalled(calling: Calling, address: string, other: string | undefined): Promise<HeldRun> {
  const { services, caller, step, workflow: called, inputs } = calling;
  const { started } = step.state;
  const callers = [...(started.callers ?? []), started.workflow];
  checkRecursion(callers, called, step.definition.maxDepth ?? 1);
  const workflow = services.workflow(called);
  spendCall(caller);
  noteCall(calling, other);
  const id = await services.childId(caller.id, address);
  const parent = { run: caller.id, block: address };
  return startOrFind(services, { workflow, inputs, child: { id, parent, callers, entered: step.turn, policy: started.policy } }, id);
}

/** Goes on with a called run that was found. The process that called it may have died before it could say so, or a fork made it in advance. */
async function takeUp(calling: Calling, found: HeldRun, other: string | undefined): Promise<HeldRun> {
  const { services, step, inputs } = calling;
  noteCall(calling, other);
  if (!found.active) await found.update();
  const { suspension, blocks } = found.session.state;
  if (!suspension?.withCaller) return found;
  // One that a fork made in advance has not been given its inputs.
  if (blocks.every((code) => code === PENDING)) await enterFirst(services, found, inputs, step.turn);
  await liftSuspension(services, found);
  return found;
}

/** Records that the unit calls a run, unless that is recorded. */
function noteCall({ step }: Calling, other: string | undefined): void {
  const { session, state, unit } = step;
  const known = unitState(state, unit).caller;
  if (step.isStale || (known && known.workflow === other)) return;
  const workflow = other === undefined ? {} : { workflow: other };
  session.record({ type: "called", ...nameUnit(session, unit), ...workflow, at: session.now() });
}

/** Executes the called run until it rests. It is cancelled where its caller is, or where the time of the calling block is up. */
async function follow(calling: Calling, child: HeldRun): Promise<ChildResult["result"]> {
  const { services, step } = calling;
  const { signal, session } = step;
  child.drive();
  let cancelling: Promise<unknown> | undefined;
  // An executor that closes, or a run that another runner took, leaves the called run as it is: it goes on with its caller.
  const stop = (): void => {
    if (!isWorkflowError(signal.reason) || (signal.reason.code !== "RUN_CANCELLED" && signal.reason.code !== "BLOCK_TIMEOUT")) return;
    // Only after its caller: if that could not be stored, nothing has been cancelled.
    cancelling = session
      .flushed()
      .then(() => cancelRun(services, child, {}))
      .catch(() => {});
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    let result = await child.rest();
    await cancelling;
    // What it asks may just have been answered.
    while (result.status === "paused" && !child.result()) result = await child.rest();
    // What it was asked meanwhile without this run is no question any more.
    if (!signal.aborted) await takeReplies(calling, child);
    return result;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Takes over what became of the questions of the called run. */
async function takeReplies({ services, caller, step }: Calling, child: HeldRun): Promise<void> {
  if (step.state.finished || step.isStale) return;
  if (noteReplies(caller, child, step.unit)) await cancelCalledRuns(services, caller, {});
}

/** What the called run gave under secret keys, for its caller, which keeps it as its own. Rejects with `SECRET_MISSING`. */
async function openResult(
  services: RunnerServices,
  session: Session,
  { result, signal }: { readonly result: ChildResult["result"]; readonly signal: PlatformSignal },
): Promise<ChildResult["result"]> {
  const { kept } = session;
  if (result.status !== "success" || !kept) return result;
  const outputs = await withSecrets(services, session, { read: (missing) => kept.open(result.outputs, missing), signal });
  return { ...result, outputs };
}

/** Whether this execution follows a failure of the block, or the end of a run that goes on again; not an answer. */
function isTriedAgain(state: RunState, unit: Unit): boolean {
  const { sleeper, isRevived = false, asked } = unitState(state, unit).progress;
  return sleeper?.retries ?? (isRevived && (codeOf(state, unit) === PENDING || asked.some((number) => state.open.has(number))));
}

/** A called run that failed goes on, and so does one that was cancelled because its caller's time was up. */
async function reviveCalled(services: RunnerServices, child: HeldRun): Promise<void> {
  await child.idle();
  const { session } = child;
  // What it did is undone.
  if (session.state.compensation) return;
  const status = session.state.finished?.status;
  if (status !== "failed" && status !== "cancelled") return;
  await services.guard?.secure(session);
  session.record({ type: "resumed", at: session.now() });
}

function checkRecursion(callers: readonly string[], name: string, maxDepth: number): void {
  const chain = [...callers, name];
  if (callers.filter((caller) => caller === name).length >= maxDepth) {
    throw new WorkflowError(
      "WORKFLOW_CIRCULAR",
      `Circular workflow call: ${chain.join(" → ")}. Break the circle, or set max_depth on the calling block if the recursion is meant and ends.`,
      { details: { chain } },
    );
  }
  if (chain.length > MAX_CALL_DEPTH) {
    throw new WorkflowError("LIMIT_EXCEEDED", `Workflows call each other more than ${MAX_CALL_DEPTH} levels deep: ${chain.join(" → ")}.`, {
      details: { limit: MAX_CALL_DEPTH },
    });
  }
}

/** Another process may have started the same child at the same moment; then that one is taken. */
async function startOrFind(services: RunnerServices, request: StartRequest, id: string): Promise<HeldRun> {
  try {
    return await services.startRun(request);
  } catch (error) {
    const child = isConflict(error) ? await services.find(id) : undefined;
    if (!child) throw error;
    return child;
  }
}

/** Records what became of the questions of a called run. Where one of them was cancelled, this run is: then it gives true. */
function noteReplies(caller: HeldRun, child: HeldRun, { block, item }: Unit): boolean {
  const { session } = caller;
  const { state } = session;
  for (const number of state.open) {
    const pause = state.pauses[number]!;
    if (pause.entry.child === undefined || pause.block !== block || pause.item !== item) continue;
    const asked = child.session.state.pauses[pause.entry.child];
    if (!asked || asked.forgotten || asked.withdrawn || child.session.state.open.has(pause.entry.child)) continue;
    const { response, action, by } = asked.answer ?? {
      response: null,
      action: undefined,
      by: asked.leftBy === undefined ? ("timeout" as const) : ("event" as const),
    };
    session.record({ type: "answered", pause: number, response, ...(action ? { action } : {}), ...(by ? { by } : {}), at: session.now() });
    if (action !== "cancel") continue;
    recordCancelled(caller, `the question ${pauseId(child.id, pause.entry.child)} was cancelled.`);
    return true;
  }
  return false;
}

/** How many more runs may be called below the same outermost run, for each run of the tree. It lives as long as they are in memory. */
const budgets = new WeakMap<object, { left: number }>();

/**
 * Counts a call of a run. Lists of items in workflows that call each other multiply at each level, so depth alone bounds nothing. Throws
 * `LIMIT_EXCEEDED`.
 */
export function spendCall(caller: object): void {
  const budget = budgetOf(caller);
  if (budget.left === 0) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `One run and those it calls may call ${MAX_CALLED_RUNS} runs in all. Give each call more to do, or start several runs.`,
      { details: { limit: MAX_CALLED_RUNS } },
    );
  }
  budget.left--;
}

/** What a called run calls is counted with its caller's calls. */
export function shareCalls(caller: object, called: object): void {
  budgets.set(called, budgetOf(caller));
}

function budgetOf(run: object): { left: number } {
  let budget = budgets.get(run);
  if (budget === undefined) {
    budget = { left: MAX_CALLED_RUNS };
    budgets.set(run, budget);
  }
  return budget;
}
