import { causeOf, errorData, givenError, isHostError, isWorkflowError, WorkflowError, type ErrorCode } from "../model/errors.ts";
import { isRecord, type Value } from "../model/value.ts";
import type { BlockResult } from "../ports/block.ts";
import { askQuestions } from "./ask-questions.ts";
import { isNoted, type Unit } from "../machine/machine.ts";
import type { ReadyType } from "./ready-type.ts";
import { executeNoted, executeOnce } from "./execute-once.ts";
import { takeOutcome } from "./take-outcome.ts";
import { readFileOutputs } from "./file-outputs.ts";
import { resumeChecked } from "./resume-checked.ts";
import { grantedType, knownType, resolveInputs } from "./ready-step.ts";
import { runAgain } from "./run-again.ts";
import { withTimeLimit } from "./time-limit.ts";
import { tryAgain } from "./try-again.ts";
import { waitFor } from "./wait-for.ts";
import { recordCompletion, recordFailure, type Failed } from "./record-step.ts";
import { ResumedStep, Step, type BlockSurroundings, type Outcome } from "./step.ts";

/**
 * Executes a block or an item, with the answer to a pause or without, and records what comes of it. What can be done at once is done without a
 * promise, so that a wave of quick blocks costs no more than a loop. Only broken infrastructure (a `STORE_…` code) rejects; everything else a block does
 * is recorded.
 */
export function runUnit(around: BlockSurroundings, { block, item }: Unit, pause?: number): Promise<void> | undefined {
  return runStep(pause === undefined ? new Step(around, { block, item }) : new ResumedStep(around, { block, item }, pause));
}

function runStep(step: Step): Promise<void> | undefined {
  try {
    const outcome = execute(step);
    if (outcome instanceof Promise) return finishLater(step, outcome);
    const work = conclude(step, outcome);
    if (work) return finishLater(step, work.then(isRecorded));
  } catch (error) {
    step.noteEnd();
    return recordThrown(step, error);
  }
  step.noteEnd();
  return undefined;
}

/** Waits for an execution that takes time, and records what it comes to. What the step had to itself goes then. */
export async function finishLater(step: Step, outcome: Promise<Outcome>): Promise<void> {
  try {
    const work = conclude(step, await outcome);
    // To wait for nothing would cost each block a turn.
    if (work) await work;
  } catch (error) {
    await recordThrown(step, error);
  } finally {
    step.noteEnd();
    if (step.isUnclean) await step.cleanUp();
    step.around.running(step.unit, undefined);
  }
}

function isRecorded(): Outcome {
  return "recorded";
}

type Called = Outcome | Promise<Outcome>;

function execute(step: Step): Called {
  // Found out before anything can change it.
  void step.given;
  if (step instanceof ResumedStep && step.about !== undefined) return takeOutcome(step, runStep);
  const type = grantedType(step);
  if (step instanceof ResumedStep && step.isDeclined && !type.takesDecline) throw declined(step);
  const inputs = resolveInputs(step);
  if (!(inputs instanceof Promise)) return checkInputs(step, type, inputs);
  return inputs.then(
    (later) => (step.hasEnded ? undefined : checkInputs(step, type, later)),
    (error: unknown) => refuseLostAnswer(step, error),
  );
}

function checkInputs(step: Step, type: ReadyType, inputs: Value): Called {
  const checked = type.validateInputs ? type.validateInputs(inputs, step.definition) : inputs;
  if (!(checked instanceof Promise)) return call(step, type, checked);
  // While they were checked the run may have been given up, or another runner may have taken it.
  return bounded(step, checked).then((later) => (step.hasEnded ? undefined : call(step, type, later)));
}

/** An answer that the block has not looked at yet is asked for again, where a secret in it is lost. */
function refuseLostAnswer(step: Step, error: unknown): Outcome {
  if (!(step instanceof ResumedStep) || !step.isRefusable || !isWorkflowError(error)) throw error;
  return { status: "invalid", error: errorData(error, "SECRET_MISSING") };
}

function call(step: Step, type: ReadyType, inputs: unknown): Called {
  step.inputs = inputs;
  let result: Called;
  if (step.definition.effect === "once" || type.effect === "once") result = executeOnce(step, () => callInTime(step, type));
  else if (isNews(step, type)) result = executeNoted(step, () => callInTime(step, type), { repeats: true });
  else result = callInTime(step, type);
  if (result instanceof Promise) step.around.running(step.unit, step.startedAt);
  return result;
}

/** Whether a block with an effect is given something that is not noted yet. */
function isNews({ given, unit, around, hasEnded }: Step, { effect }: ReadyType): boolean {
  return effect === "repeatable" && given !== undefined && !hasEnded && !isNoted(around.session.state, unit, given);
}

function callInTime(step: Step, type: ReadyType): BlockResult | Promise<BlockResult> {
  const { timeoutMs } = step.definition;
  return timeoutMs === undefined ? callBlock(step, type) : withTimeLimit(step, timeoutMs, () => callBlock(step, type));
}

/** A check that takes its time takes as long as the block may at most. */
function bounded<T>(step: Step, check: Promise<T>): Promise<T> {
  const { timeoutMs } = step.definition;
  return timeoutMs === undefined ? check : withTimeLimit(step, timeoutMs, () => check);
}

function callBlock(step: Step, type: ReadyType): BlockResult | Promise<BlockResult> {
  if (!(step instanceof ResumedStep)) return type.execute(step as never);
  if (!type.resume) throw notInteractive(step, type);
  if (type.validateAnswer && !step.isDeclined) return resumeChecked(step, type);
  return type.resume(step as never);
}

/** Records what an execution came to. */
function conclude(step: Step, result: Outcome): Promise<void> | undefined {
  if (result === "recorded" || step.hasEnded) return undefined;
  const type = knownType(step);
  switch (result?.status) {
    case "success":
      return recordOutputs(step, type, result.outputs);
    case "known":
      return recordCompletion(step, result.outputs, { isOwn: true });
    case "failure":
      return fail(step, failureOf(result, "BLOCK_FAILED"));
    case "paused":
      if (!type.resume) throw notInteractive(step, type);
      return askQuestions(step, result.questions);
    case "again":
      return runAgain(step, result.value);
    case "waiting":
      waitFor(step, result.until);
      return undefined;
    case "invalid":
      return refuseAnswer(step, failureOf(result, "RESPONSE_INVALID"));
    default:
      throw new WorkflowError(
        "BLOCK_FAILED",
        `Block type ${type.type} gave no result. Return success(…), failure(…), pause(…) or invalid(…).`,
      );
  }
}

function recordOutputs(step: Step, type: ReadyType, outputs: unknown): Promise<void> | undefined {
  const checked = type.validateOutputs ? type.validateOutputs(outputs, step.definition) : outputs;
  return checked instanceof Promise ? bounded(step, checked).then((later) => recordChecked(step, later)) : recordChecked(step, checked);
}

function recordChecked(step: Step, outputs: unknown): Promise<void> | undefined {
  if (!isRecord(outputs)) {
    throw new WorkflowError(
      "OUTPUT_INVALID",
      `The outputs of block "${step.block}" are not named values. Return success({ name: value }).`,
    );
  }
  const { outputs: declared } = step.definition;
  if (!declared) return recordCompletion(step, outputs);
  return readFileOutputs(step, declared).then((read) => recordCompletion(step, { ...outputs, ...read }));
}

function recordThrown(step: Step, cause: unknown): Promise<void> | undefined {
  if (isHostError(cause)) throw cause;
  // It was asked to stop, since its inputs have changed.
  if (step.hasEnded || (step.isStale && step.signal.aborted)) return undefined;
  return fail(step, { error: errorData(cause, "BLOCK_FAILED"), cause });
}

/** What a block gave in the place of outputs, each part read once. */
function failureOf({ error, outputs }: { readonly error: unknown; readonly outputs?: unknown }, code: ErrorCode): Failed {
  return { error: givenError(error, code), outputs, cause: causeOf(error) };
}

/** The block did not take an answer that fits: its question is open again. */
function refuseAnswer(step: Step, failed: Failed): Promise<void> | undefined {
  if (step.answers === undefined) return fail(step, failed);
  // The answer was taken back meanwhile.
  if (step.isStale) return undefined;
  const { session } = step.around;
  session.record({ type: "reopened", pause: step.answers, error: failed.error, at: session.now() });
  return undefined;
}

/** A failure is final, unless the block is tried again. */
function fail(step: Step, failed: Failed): Promise<void> | undefined {
  return step.definition.retry && tryAgain(step, failed) ? undefined : recordFailure(step, failed);
}

function declined({ block }: Step): WorkflowError {
  return new WorkflowError(
    "PAUSE_DECLINED",
    `The question of block "${block}" was declined. Let the block continue on errors, or resume the run to ask again.`,
  );
}

function notInteractive(step: Step, type: ReadyType): WorkflowError {
  return new WorkflowError(
    "BLOCK_NOT_INTERACTIVE",
    `Block "${step.block}" of type ${type.type} has no resume, so it cannot take an answer. Give the block type a resume function.`,
  );
}
