import { causeOf, errorData, givenError, isHostError, isWorkflowError, WorkflowError, type ErrorCode } from "../model/errors.ts";
import { isRecord, type Value } from "../model/value.ts";
import type { Block } from "../model/workflow.ts";
import type { BlockResult } from "../ports/block.ts";
import { askQuestions } from "./ask-questions.ts";
import { isNoted, type Execution, type Sleeper, type Unit } from "../machine/machine.ts";
import type { ReadyType } from "./ready-type.ts";
import { executeNoted, executeOnce } from "./execute-once.ts";
import { takeOutcome } from "./take-outcome.ts";
import { readFileOutputs } from "./file-outputs.ts";
import { resumeChecked } from "./resume-checked.ts";
import { grantedType, resolveInputs } from "./ready-step.ts";
import { runAgain } from "./run-again.ts";
import { runItems } from "./run-items.ts";
import { withTimeLimit } from "./time-limit.ts";
import { tryAgain } from "./try-again.ts";
import { waitFor } from "./wait-for.ts";
import { recordCompletion, recordFailure, type Failed } from "./record-step.ts";
import { ResumedStep, Step, type BlockSurroundings } from "./step.ts";

/**
 * Executes one block and records the outcome. What can be done at once is done without a promise, so that a wave of quick blocks costs no
 * more than a loop. Only broken infrastructure (a `STORE_…` code) rejects; everything else a block does is recorded.
 */
export function runBlock(around: BlockSurroundings, block: number, due: Execution["items"]): Promise<void> | undefined {
  const step = new Step(around, { block });
  if (around.session.compiled.workflow.blocks[block]!.forEach === undefined) return attempt(step);
  // After the blocks of the wave, so that a run that was cut off among the items goes on in the same order.
  return watch(step, () => Promise.resolve().then(() => runItems(step, due, { resume: resumeBlock, runDue, runItem })));
}

/** Executes one item of a block with `for_each`. */
function runItem(around: BlockSurroundings, unit: Unit): Promise<void> | undefined {
  return attempt(new Step(around, unit));
}

/** Executes what has waited for its instant: a block or item goes on, or is tried again, with the answer it had. */
export function runDue(around: BlockSurroundings, { block, item, pause }: Sleeper): Promise<void> | undefined {
  return attempt(pause === undefined ? new Step(around, { block, item }) : new ResumedStep(around, { block, item }, pause));
}

/** Gives an answer to the block that asked, or lets a block that waits for a called run look how that stands. */
export function resumeBlock(around: BlockSurroundings, pause: number): Promise<void> | undefined {
  const { state } = around.session;
  const { block, item, entry } = state.pauses[pause]!;
  const step = new ResumedStep(around, { block, item }, pause);
  return entry.about === undefined ? attempt(step) : watch(step, () => takeOutcome(step, { attempt, conclude }));
}

/** Executes a block or an item, and records what comes of it. */
function attempt(step: Step): Promise<void> | undefined {
  return watch(step, () => execute(step));
}

function execute(step: Step): Promise<void> | undefined {
  // Found out before anything can change it.
  void step.given;
  const type = grantedType(step);
  if (step instanceof ResumedStep && step.isDeclined && !type.takesDecline) throw declined(step);
  const inputs = resolveInputs(step);
  if (!(inputs instanceof Promise)) return checkInputs(step, type, inputs);
  return inputs.then(
    (later) => (step.hasEnded ? undefined : checkInputs(step, type, later)),
    (error: unknown) => refuseLostAnswer(step, error),
  );
}

function checkInputs(step: Step, type: ReadyType, inputs: Value): Promise<void> | undefined {
  const checked = type.validateInputs ? type.validateInputs(inputs, definitionOf(step)) : inputs;
  return checked instanceof Promise ? bounded(step, checked).then((later) => invoke(step, type, later)) : invoke(step, type, checked);
}

/** An answer that the block has not looked at yet is asked for again, where a secret in it is lost. */
function refuseLostAnswer(step: Step, error: unknown): Promise<void> | undefined {
  if (!(step instanceof ResumedStep) || !step.isRefusable || !isWorkflowError(error)) throw error;
  return refuseAnswer(step, { error: errorData(error, "SECRET_MISSING") });
}

function invoke(step: Step, type: ReadyType, inputs: unknown): Promise<void> | undefined {
  step.inputs = inputs;
  const isOnce = definitionOf(step).effect === "once" || type.effect === "once";
  const execute = (): Called => inTime(step, type);
  const result = isOnce ? executeOnce(step, execute) : isNews(step, type) ? executeNoted(step, execute, { repeats: true }) : execute();
  if (!(result instanceof Promise)) return conclude(step, type, result);
  step.around.running(step.unit, step.startedAt);
  return result.then((settled) => (settled === "asked" ? undefined : conclude(step, type, settled)));
}

/** Whether a block with an effect is given something that is not noted yet. */
function isNews({ given, unit, around, hasEnded }: Step, { effect }: ReadyType): boolean {
  return effect === "repeatable" && given !== undefined && !hasEnded && !isNoted(around.session.state, unit, given);
}

type Called = BlockResult | Promise<BlockResult | undefined> | undefined;

function inTime(step: Step, type: ReadyType): Called {
  return definitionOf(step).timeoutMs === undefined ? call(step, type) : limited(step, () => call(step, type));
}

/** A check that takes its time takes as long as the block may at most. */
function bounded<T>(step: Step, check: Promise<T>): Promise<T> {
  return definitionOf(step).timeoutMs === undefined ? check : limited(step, () => check);
}

function limited<T>(step: Step, work: () => T | Promise<T>): Promise<T> {
  return withTimeLimit(step, definitionOf(step).timeoutMs!, work);
}

function call(step: Step, type: ReadyType): Called {
  // While its inputs were checked and its code was loaded the run may have been given up, or another runner may have taken it.
  if (step.hasEnded) return undefined;
  if (!(step instanceof ResumedStep)) return type.execute(step as never);
  if (!type.resume) throw notInteractive(step, type);
  if (type.validateAnswer && !step.isDeclined) return resumeChecked(step, type);
  return type.resume(step as never);
}

function definitionOf(step: Step): Block {
  return step.around.session.compiled.workflow.blocks[step.index]!;
}

/** Records what an execution came to. */
function conclude(step: Step, type: ReadyType, result: BlockResult | undefined): Promise<void> | undefined {
  if (step.hasEnded) return undefined;
  switch (result?.status) {
    case "success":
      return recordOutputs(step, type, result.outputs);
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
  const checked = type.validateOutputs ? type.validateOutputs(outputs, definitionOf(step)) : outputs;
  return checked instanceof Promise ? bounded(step, checked).then((later) => recordChecked(step, later)) : recordChecked(step, checked);
}

function recordChecked(step: Step, outputs: unknown): Promise<void> | undefined {
  if (!isRecord(outputs)) {
    throw new WorkflowError(
      "OUTPUT_INVALID",
      `The outputs of block "${step.block}" are not named values. Return success({ name: value }).`,
    );
  }
  const { outputs: declared } = definitionOf(step);
  if (!declared) return recordCompletion(step, outputs);
  return readFileOutputs(step, declared).then((read) => recordCompletion(step, { ...outputs, ...read }));
}

/**
 * Records a failure for anything thrown later, and resolves when the block is done. An async function here would cost each slow block
 * more.
 */
function untilDone(step: Step, work: Promise<void>): Promise<void> {
  return work.then(
    () => putAway(step),
    async (error: unknown) => {
      try {
        await recordThrown(step, error);
      } finally {
        await putAway(step);
      }
    },
  );
}

/** What the step had to itself goes, and it no longer counts as running. */
function putAway(step: Step): Promise<void> | undefined {
  step.noteEnd();
  if (step.isUnclean) return step.cleanUp().then(() => step.around.running(step.unit, undefined));
  step.around.running(step.unit, undefined);
  return undefined;
}

function watch(step: Step, work: () => Promise<void> | undefined): Promise<void> | undefined {
  try {
    const slow = work();
    if (slow) return untilDone(step, slow);
  } catch (error) {
    step.noteEnd();
    return recordThrown(step, error);
  }
  step.noteEnd();
  return undefined;
}

function recordThrown(step: Step, cause: unknown): Promise<void> | undefined {
  if (isHostError(cause)) throw cause;
  // It was told to stop, since it is given something else now.
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
  return definitionOf(step).retry && tryAgain(step, failed) ? undefined : recordFailure(step, failed);
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
