import { isConflict, isWorkflowError, WorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import { MAX_CALL_DEPTH } from "../model/limits.ts";
import type { Values } from "../model/value.ts";
import type { ChildResult } from "../ports/block.ts";
import type { AbortSignalLike } from "../ports/host.ts";
import { PENDING } from "./block-code.ts";
import { shareCalls, spendCall } from "./call-budget.ts";
import { cancelCalledRuns, recordCancelled } from "./cancel-run.ts";
import type { LiveRun } from "./live-run.ts";
import type { Services } from "./services.ts";
import type { StartRequest } from "./start-run.ts";
import type { Donors } from "./time/donors.ts";
import { codeOf, type RunState } from "./state.ts";
import { unitKey, unitName, type Unit } from "./unit.ts";

/** What a block asks for when it calls a workflow. */
export interface Call {
  readonly unit: Unit;
  readonly workflow: string;
  readonly inputs: Values;
  readonly signal: AbortSignalLike;
  /** What the caller takes over from the run it revises. */
  readonly donors: Donors | undefined;
}

/**
 * Runs a workflow as the child of a block. The child's id follows from the caller, so that it is found again after a crash: a finished one
 * is taken as it is, an unfinished one goes on, and one that failed is tried again only where the caller is.
 */
export async function callWorkflow(services: Services, caller: LiveRun, call: Call): Promise<ChildResult> {
  const { unit, workflow: name, inputs, signal } = call;
  const { session } = caller;
  const { state } = session;
  if (state.iterations.has(unitKey(unit))) {
    throw new WorkflowError(
      "BLOCK_FAILED",
      "A block that runs again cannot call a workflow: the called run belongs to the first execution. Let another block call it.",
    );
  }
  const { block, item } = unit;
  if (signal.aborted) throw signal.reason;
  const key = unitKey(unit);
  const address = unitName(state.compiled.plan.ids[block]!, item);
  const id = await caller.childId(unit);
  let child = await services.find(id);
  if (!child) {
    const callers = [...(state.started.callers ?? []), state.started.workflow];
    checkRecursion(callers, name, state.compiled.workflow.blocks[block]!.maxDepth ?? 1);
    const workflow = services.workflow(name);
    spendCall(caller);
    if (!state.callers.has(key)) {
      const entry = { type: "called", block: state.compiled.plan.ids[block]! } as const;
      session.record({ ...entry, ...(item === undefined ? {} : { item }), at: session.now() });
    }
    const parent = { run: caller.id, block: address };
    child = await startOrFind(
      services,
      { workflow, inputs, child: { id, parent, callers }, revises: await call.donors?.called(unit, name) },
      id,
    );
  } else if (!child.active) await child.update();
  shareCalls(caller, child);
  caller.noteChild(unit, id);
  if (isTriedAgain(state, unit)) await reviveCalled(services, child);
  child.drive();
  let cancelling: Promise<unknown> | undefined;
  // An executor that closes, or a run that another runner took, leaves the called run as it is: it goes on with its caller.
  const stop = (): void => {
    if (!isWorkflowError(signal.reason) || (signal.reason.code !== "RUN_CANCELLED" && signal.reason.code !== "BLOCK_TIMEOUT")) return;
    // Only after its caller: if that could not be stored, nothing has been cancelled.
    cancelling = session
      .flushed()
      .then(() => child.cancel())
      .catch(() => {});
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    let result = await child.rest();
    await cancelling;
    // Somebody may just have answered what it asks.
    while (result.status === "paused" && !child.result()) result = await child.rest();
    // What it was asked meanwhile without this run is no question any more.
    if (!state.finished && !signal.aborted) noteReplies(caller, child, unit);
    const { started, lastAt, compiled } = child.session.state;
    return { result, workflow: started.workflow, executionTimeMs: lastAt, totalBlocks: compiled.plan.ids.length };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Whether this execution follows a failure of the block, not an answer. */
function isTriedAgain(state: RunState, unit: Unit): boolean {
  const key = unitKey(unit);
  return state.sleepers.get(key)?.retries ?? (codeOf(state, unit) === PENDING && state.reviving.has(key));
}

/** A called run that failed goes on, and so does one that was cancelled because its caller's time was up. */
async function reviveCalled(services: Services, child: LiveRun): Promise<void> {
  await child.idle();
  const { session } = child;
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
async function startOrFind(services: Services, request: StartRequest, id: string): Promise<LiveRun> {
  try {
    return await services.start(request);
  } catch (error) {
    const child = isConflict(error) ? await services.find(id) : undefined;
    if (!child) throw error;
    return child;
  }
}

/**
 * Takes over what became of called runs while nobody looked: answers that reached them without their caller, or before a crash kept the
 * caller from noting it. Every block that waits for a called run then looks how that stands.
 */
export async function reconcileCalls(services: Services, caller: LiveRun): Promise<void> {
  const { state } = caller.session;
  for (const number of state.open) {
    const pause = state.pauses[number]!;
    if (pause.entry.child === undefined) continue;
    state.recheck.set(unitKey(pause), number);
    const child = await services.find(await caller.childId(pause));
    if (!child) continue;
    if (!child.active) await child.update();
    // What was cancelled with this run goes on with it.
    if (state.reviving.has(unitKey(pause))) await reviveCalled(services, child);
    // Somebody may have cancelled it while the called run was looked at.
    if (!state.finished) noteReplies(caller, child, pause);
    if (state.finished) return cancelCalledRuns(services, caller, {});
  }
}

/** Records what became of the questions of a called run; where one of them was cancelled, this run is. */
function noteReplies(caller: LiveRun, child: LiveRun, { block, item }: Unit): void {
  const { session } = caller;
  const { state } = session;
  for (const number of state.open) {
    const pause = state.pauses[number]!;
    if (pause.entry.child === undefined || pause.block !== block || pause.item !== item) continue;
    const asked = child.session.state.pauses[pause.entry.child];
    if (!asked || asked.forgotten || !(asked.answer || asked.closed)) continue;
    const { response, action, by } = asked.answer ?? { response: null, action: undefined, by: "timeout" as const };
    session.record({ type: "answered", pause: number, response, ...(action ? { action } : {}), ...(by ? { by } : {}), at: session.now() });
    if (action === "cancel") return recordCancelled(caller, `the question ${pauseId(child.id, pause.entry.child)} was cancelled.`);
  }
}
