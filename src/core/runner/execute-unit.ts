import { causeOf, errorData, givenError, isHostError, isWorkflowError, WorkflowError, type ErrorCode } from "../model/errors.ts";
import { isRecord, type Value } from "../model/value.ts";
import { invalid, neededBy, type BlockResult } from "../ports/block.ts";
import { isNoted, unitState } from "../machine/machine.ts";
import { missingGrant } from "../definition/definition.ts";
import { askQuestions } from "./ask-questions.ts";
import { describeProblems } from "./check-answer.ts";
import { checkSignal } from "./events.ts";
import { recordCompletion, recordFailure, recordIteration, recordWait, type Failed } from "./record-step.ts";
import { actingBlocks } from "./parts.ts";
import type { ReadyType } from "./ready-type.ts";
import { ResumedContext } from "./resumed-context.ts";
import { type Job, StepContext, type Outcome, type Workplace } from "./step-context.ts";
import { withTimeLimit } from "./time-limit.ts";
import { after } from "./waiting.ts";

/**
 * Executes a block or an item, with the answer to a pause or without, and records the outcome. What needs no waiting is done without a promise, so that a
 * wave of quick blocks costs no more than a loop. Only broken infrastructure (a `STORE_…` code) rejects; everything else that a block does is recorded.
 */
export function executeUnit(place: Workplace, job: Job): Promise<void> | void {
  const step = job.pause === undefined ? new StepContext(place, job) : new ResumedContext(place, job, job.pause);
  let outcome: Outcome | Promise<Outcome>;
  let work: Promise<void> | void = undefined;
  try {
    outcome = execute(step);
    if (!(outcome instanceof Promise)) work = conclude(step, outcome);
  } catch (error) {
    work = recordThrown(step, error);
  }
  const running = outcome instanceof Promise ? outcome : undefined;
  return running || work || step.isUnclean ? finish(step, running, work) : undefined;
}

/** Waits for the slow part of an execution, the block or the record of its outcome, and then cleans up after the step. */
async function finish(step: StepContext, running: Promise<Outcome> | undefined, work: Promise<void> | void): Promise<void> {
  try {
    const rest = running ? conclude(step, await running) : work;
    // Awaiting nothing would cost each block a turn of the event loop.
    if (rest) await rest;
  } catch (error) {
    await recordThrown(step, error);
  } finally {
    if (step.isUnclean) await step.end();
    step.place.display.setRunning(step.unit, undefined);
  }
}

function execute(step: StepContext): Outcome | Promise<Outcome> {
  const isAnswered = step instanceof ResumedContext;
  if (isAnswered && step.about !== undefined) return actingBlocks.code().takeOutcome(step, (job) => executeUnit(step.place, job));
  const type = grantedType(step);
  if (isAnswered && step.isDeclined && !type.takesDecline) throw declined(step);
  const { schema } = step.signalId === undefined ? {} : (unitState(step.state, step.unit).progress.sleeper ?? {});
  if (schema) return checkSignal(step, schema).then(() => executeWith(step, type));
  return executeWith(step, type);
}

function executeWith(step: StepContext, type: ReadyType): Outcome | Promise<Outcome> {
  const inputs = resolveInputs(step);
  if (!(inputs instanceof Promise)) return call(step, type, inputs);
  return inputs.then(
    (later) => call(step, type, later),
    (error: unknown) => refuseLostAnswer(step, error),
  );
}

/**
 * The type of a step's block. Throws where this executor cannot execute it, in a run that was started by another one: `CAPABILITY_MISSING` for a missing
 * grant; `BLOCK_TYPE_MISSING` for a missing type. No step records the latter, so a stored answer waits for an executor that has the type.
 */
export function grantedType(step: StepContext): ReadyType {
  const type = knownType(step);
  const ungranted = neededBy(type, step.definition.inputs).find((capability) => !step.place.services.grants[capability]);
  if (ungranted) throw missingGrant(step.block, type, ungranted);
  return type;
}

/** The same where the block is not executed. Throws `BLOCK_TYPE_MISSING`. */
function knownType({ block, definition, place }: StepContext): ReadyType {
  const name = definition.type;
  const type = place.services.types.get(name);
  if (type) return type;
  throw new WorkflowError(
    "BLOCK_TYPE_MISSING",
    `Block "${block}" has the type "${name}", which this executor does not have. Give it to createExecutor in \`blocks\` and resume the run, which was left as it is.`,
    { details: { block, type: name } },
  );
}

/** The resolved inputs of a step; a promise where it first has to get secrets again. That rejects with `SECRET_MISSING`. */
export function resolveInputs(step: StepContext): Value | Promise<Value> {
  const { kept } = step.session;
  const inputs = step.compiled.block(step.unit.block).inputs(step.scope);
  return kept && step.lacksSecrets ? step.regainSecrets().then(() => resolveInputs(step)) : inputs;
}

/** If a secret in an answer is lost, and the block has not used the answer yet, the question is asked again. */
function refuseLostAnswer(step: StepContext, error: unknown): Outcome {
  if (!(step instanceof ResumedContext) || !step.isRefusable || !isWorkflowError(error)) throw error;
  return { status: "invalid", error: errorData(error, "SECRET_MISSING") };
}

/** Checks the inputs, with the files to which they refer, and calls the block. */
function call(step: StepContext, type: ReadyType, resolved: Value): Outcome | Promise<Outcome> {
  return after(step.session.openFiles(resolved), (inputs) => {
    const { validateInputs } = type;
    if (!validateInputs) return callChecked(step, type, inputs);
    return after(bounded(step, validateInputs(inputs, step.definition)), (checked) => callChecked(step, type, checked));
  });
}

function callChecked(step: StepContext, type: ReadyType, inputs: unknown): Outcome | Promise<Outcome> {
  // Meanwhile the run may have been cancelled, or another runner may have taken it.
  if (step.hasEnded) return undefined;
  step.inputs = inputs;
  const { place, unit, startedAt, given, state, definition } = step;
  let result: Outcome | Promise<Outcome>;
  if (definition.effect === "once" || type.effect === "once") result = actingBlocks.code().executeOnce(step, () => callInTime(step, type));
  // What a block with an effect is given is noted first.
  else if (type.effect === "repeatable" && given !== undefined && !isNoted(state, unit, given)) {
    result = actingBlocks.code().executeNoted(step, () => callInTime(step, type), { repeats: true });
  } else if (definition.cache) result = actingBlocks.code().executeCached(step, type, () => callInTime(step, type));
  else result = callInTime(step, type);
  if (result instanceof Promise) place.display.setRunning(unit, startedAt);
  return result;
}

function callInTime(step: StepContext, type: ReadyType): BlockResult | Promise<BlockResult> {
  const { timeoutMs } = step.definition;
  return timeoutMs === undefined ? callBlock(step, type) : withTimeLimit(step, timeoutMs, () => callBlock(step, type));
}

function callBlock(step: StepContext, type: ReadyType): BlockResult | Promise<BlockResult> {
  if (!(step instanceof ResumedContext)) return type.execute(step as never);
  const { validateAnswer, resume } = type;
  if (!resume) throw notInteractive(step, type);
  if (!validateAnswer || step.isDeclined) return resume.call(type, step as never);
  return after(validateAnswer(step.response), ({ value, issues }) => {
    if (issues) {
      const { message, details } = describeProblems(issues);
      return invalid(message, details);
    }
    step.checked = { response: value };
    return resume.call(type, step as never);
  });
}

/** A slow check may take as long as the block may. */
function bounded<T>(step: StepContext, check: T | Promise<T>): T | Promise<T> {
  const { timeoutMs } = step.definition;
  return timeoutMs !== undefined && check instanceof Promise ? withTimeLimit(step, timeoutMs, () => check) : check;
}

/** Records the outcome of an execution. */
function conclude(step: StepContext, result: Outcome): Promise<void> | void {
  if (result === "recorded" || step.hasEnded) return undefined;
  // Its files are part of its end.
  if (step.ownFiles && (result?.status === "success" || result?.status === "again")) {
    return actingBlocks
      .code()
      .settleFiles(step)
      .then(() => conclude(step, result));
  }
  const type = knownType(step);
  switch (result?.status) {
    case "success":
      return after(checkOutputs(step, type, result.outputs), (outputs) => complete(step, outputs));
    case "known":
      return recordCompletion(step, result.outputs, { isOwn: step.cached === undefined });
    case "failure":
      return recordFailure(step, failureOf(result, "BLOCK_FAILED"));
    case "paused":
      if (!type.resume) throw notInteractive(step, type);
      return askQuestions(step, result.questions);
    case "again":
      return recordIteration(step, result.value);
    case "waiting":
      return recordWait(step, result);
    case "invalid":
      return refuseAnswer(step, failureOf(result, "RESPONSE_INVALID"));
    default:
      throw new WorkflowError(
        "BLOCK_FAILED",
        `Block type ${type.type} gave no result. Return success(…), failure(…), pause(…) or invalid(…).`,
      );
  }
}

/** Records that a block completed, and caches its outputs for other runs where its workflow says so. */
function complete(step: StepContext, outputs: unknown): Promise<void> | void {
  const recorded = recordCompletion(step, outputs);
  return step.cacheKey === undefined ? recorded : after(recorded, () => actingBlocks.code().keepResult(step));
}

/** The outputs as they are recorded: checked, and with those that the block left in files. */
function checkOutputs(step: StepContext, type: ReadyType, given: unknown): unknown {
  const { definition, block } = step;
  const { validateOutputs } = type;
  return after(validateOutputs ? bounded(step, validateOutputs(given, definition)) : given, (outputs) => {
    if (!isRecord(outputs)) {
      throw new WorkflowError("OUTPUT_INVALID", `The outputs of block "${block}" are not named values. Return success({ name: value }).`);
    }
    if (!definition.outputs) return outputs;
    const { readFileOutputs } = actingBlocks.code();
    return readFileOutputs(step, definition.outputs).then((read) => ({ ...outputs, ...read }));
  });
}

/** Records an error of an execution. Rethrows errors of broken infrastructure. */
export function recordThrown(step: StepContext, cause: unknown): Promise<void> | void {
  if (isHostError(cause)) throw cause;
  // It was asked to stop, since its inputs have changed.
  if (step.hasEnded || (step.isStale && step.signal.aborted)) return undefined;
  return recordFailure(step, { error: errorData(cause, "BLOCK_FAILED"), cause });
}

/** What a block returned instead of outputs; each part is read once. */
function failureOf({ error, outputs }: { readonly error: unknown; readonly outputs?: unknown }, code: ErrorCode): Failed {
  return { error: givenError(error, code), outputs, cause: causeOf(error) };
}

/** The block did not take an answer that fits: its question is open again. */
function refuseAnswer(step: StepContext, failed: Failed): Promise<void> | void {
  if (step.answers === undefined) return recordFailure(step, failed);
  // The answer was taken back meanwhile.
  if (step.isStale) return undefined;
  step.session.record({ type: "reopened", pause: step.answers, error: failed.error, at: step.session.now() });
}

function declined({ block }: StepContext): WorkflowError {
  return new WorkflowError(
    "PAUSE_DECLINED",
    `The question of block "${block}" was declined. Let the block continue on errors, or resume the run to ask again.`,
  );
}

function notInteractive(step: StepContext, type: ReadyType): WorkflowError {
  return new WorkflowError(
    "BLOCK_NOT_INTERACTIVE",
    `Block "${step.block}" of type ${type.type} has no resume, so it cannot take an answer. Give the block type a resume function.`,
  );
}
