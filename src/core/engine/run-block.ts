import { errorData, isHostError, WorkflowError, type ErrorData } from "../model/errors.ts";
import { isRecord } from "../model/value.ts";
import type { Block } from "../model/workflow.ts";
import type { BlockResult } from "../ports/block.ts";
import { PENDING } from "./block-code.ts";
import { skippingDependency } from "./decide.ts";
import type { ReadyType } from "./ready-type.ts";
import { recordCompletion, recordFailure, stepFields } from "./record-step.ts";
import type { Sleeper } from "./state.ts";
import { ResumedStep, Step, type BlockSurroundings } from "./step.ts";
import { unitKey, type Unit } from "./unit.ts";

/**
 * Executes one block and records the outcome. What can be done at once is done without a promise, so that a wave of quick blocks costs no
 * more than a loop. Only broken infrastructure (a `STORE_…` code) rejects; everything else a block does is recorded.
 */
export function runBlock(around: BlockSurroundings, block: number): Promise<void> | undefined {
  const step = new Step(around, { block });
  const { blocks, compiled } = around.session.state;
  try {
    if (blocks[block] === PENDING && skipped(step)) return undefined;
    if (compiled.workflow.blocks[block]!.forEach !== undefined) {
      return watch(
        step,
        import("./run-items.ts").then(({ runItems }) => runItems(step)),
      );
    }
    return watch(step, execute(step));
  } catch (error) {
    return recordThrown(step, error);
  }
}

/** Executes one item of a block with `for_each`. */
export function runItem(around: BlockSurroundings, unit: Unit): Promise<void> | undefined {
  return attempt(new Step(around, unit));
}

/** Executes what has waited for its instant: a block or item goes on, or is tried again, with the answer it had. */
export function runDue(around: BlockSurroundings, { block, item, pause }: Sleeper): Promise<void> | undefined {
  return attempt(pause === undefined ? new Step(around, { block, item }) : new ResumedStep(around, { block, item }, pause));
}

/** Gives an answer to the block that asked, or lets a block that waits for a called run look how that stands. */
export function resumeBlock(around: BlockSurroundings, pause: number): Promise<void> | undefined {
  const { state } = around.session;
  const { block, item, entry, answer } = state.pauses[pause]!;
  state.recheck.delete(unitKey({ block, item }));
  const step = new ResumedStep(around, { block, item }, pause);
  if (answer?.action === "skip" && entry.child === undefined) {
    around.session.record({ type: "skipped", ...stepFields(step), reason: { kind: "left-out" } });
    return undefined;
  }
  if (entry.about === undefined) return attempt(step);
  return watch(
    step,
    import("./effects/take-outcome.ts").then(({ takeOutcome }) => takeOutcome(step)),
  );
}

/** Executes a block or an item, and records what comes of it. */
export function attempt(step: Step): Promise<void> | undefined {
  try {
    return watch(step, execute(step));
  } catch (error) {
    return recordThrown(step, error);
  }
}

function skipped(step: Step): boolean {
  const { session } = step.around;
  const { compiled, scope } = session.state;
  const dependency = skippingDependency(session.state, step.index);
  if (dependency >= 0) {
    const reason = { kind: "dependency", block: compiled.plan.ids[dependency]! } as const;
    session.record({ type: "skipped", block: step.block, at: step.startedAt, reason });
    return true;
  }
  if (compiled.block(step.index).holds(scope)) return false;
  const reason = { kind: "condition", condition: String(compiled.workflow.blocks[step.index]!.condition) } as const;
  session.record({ type: "skipped", block: step.block, at: step.startedAt, reason });
  return true;
}

function execute(step: Step): Promise<void> | undefined {
  const { donors } = step.around;
  return donors ? donors.takeOver(step).then((isDone) => (isDone ? undefined : executeAnew(step))) : executeAnew(step);
}

function executeAnew(step: Step): Promise<void> | undefined {
  const { compiled } = step.around.session.state;
  const name = compiled.workflow.blocks[step.index]!.type;
  const type = step.around.types.get(name);
  const { grants } = step.around;
  if (!type || type.needs?.some((capability) => !grants[capability])) {
    return import("./refuse-block.ts").then(({ refuseBlock }) => refuseBlock(step, name, type));
  }
  if (step instanceof ResumedStep && step.isDeclined && !type.takesDecline) throw declined(step);
  const inputs = compiled.block(step.index).inputs(step.scope);
  const checked = type.validateInputs ? type.validateInputs(inputs, step.block) : inputs;
  return checked instanceof Promise ? bounded(step, checked).then((later) => invoke(step, type, later)) : invoke(step, type, checked);
}

function invoke(step: Step, type: ReadyType, inputs: unknown): Promise<void> | undefined {
  step.inputs = inputs;
  const isOnce = definitionOf(step).effect === "once" || type.effect === "once";
  const result = isOnce
    ? import("./effects/execute-once.ts").then(({ executeOnce }) => executeOnce(step, () => inTime(step, type)))
    : inTime(step, type);
  if (!(result instanceof Promise)) return conclude(step, type, result);
  step.around.running(step.unit, step.startedAt);
  return result.then((settled) => (settled === "asked" ? undefined : conclude(step, type, settled)));
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
  return import("./time-limit.ts").then(({ withTimeLimit }) => withTimeLimit(step, definitionOf(step).timeoutMs!, work));
}

function call(step: Step, type: ReadyType): Called {
  // While its inputs were checked and its code was loaded the run may have been given up, or another runner may have taken it.
  if (step.hasEnded) return undefined;
  if (!(step instanceof ResumedStep)) return type.execute(step as never);
  if (!type.resume) throw notInteractive(step, type);
  if (type.validateAnswer && !step.isDeclined)
    return import("./pauses/resume-checked.ts").then(({ resumeChecked }) => resumeChecked(step, type));
  return type.resume(step as never);
}

function definitionOf(step: Step): Block {
  return step.around.session.state.compiled.workflow.blocks[step.index]!;
}

/** Records what an execution came to. */
export function conclude(step: Step, type: ReadyType, result: BlockResult | undefined): Promise<void> | undefined {
  if (step.hasEnded) return undefined;
  switch (result?.status) {
    case "success":
      return recordOutputs(step, type, result.outputs);
    case "failure":
      return fail(step, result.error, result.outputs);
    case "paused":
      if (!type.resume) throw notInteractive(step, type);
      return type.askQuestions!(step, result.questions);
    case "again":
      return import("./run-again.ts").then(({ runAgain }) => runAgain(step, result.value));
    case "waiting":
      return import("./wait-for.ts").then(({ waitFor }) => waitFor(step, result.until));
    case "invalid":
      if (step.answers === undefined) return fail(step, result.error);
      step.around.session.record({ type: "reopened", pause: step.answers, error: result.error, at: step.around.session.now() });
      return undefined;
    default:
      throw new WorkflowError(
        "BLOCK_FAILED",
        `Block type ${type.type} gave no result. Return success(…), failure(…), pause(…) or invalid(…).`,
      );
  }
}

function recordOutputs(step: Step, type: ReadyType, outputs: unknown): Promise<void> | undefined {
  const checked = type.validateOutputs ? type.validateOutputs(outputs, step.block) : outputs;
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
  return import("./file-outputs.ts")
    .then(({ readFileOutputs }) => readFileOutputs(step, declared))
    .then((read) => recordCompletion(step, { ...outputs, ...read }));
}

/** Records a failure for whatever is thrown later, and tells when the block is done. An async function here would cost each slow block more. */
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
  if (step.isUnclean) return step.cleanUp().then(() => step.around.running(step.unit, undefined));
  step.around.running(step.unit, undefined);
  return undefined;
}

function watch(step: Step, work: Promise<void> | undefined): Promise<void> | undefined {
  return work && untilDone(step, work);
}

function recordThrown(step: Step, error: unknown): Promise<void> | undefined {
  if (isHostError(error)) throw error;
  return step.hasEnded ? undefined : fail(step, errorData(error, "BLOCK_FAILED"));
}

/** A failure is final, unless the block is tried again. What gives the items of a block would be no other the next time. */
function fail(step: Step, error: ErrorData, outputs?: unknown): Promise<void> | undefined {
  const { retry, forEach } = definitionOf(step);
  if (!retry || (forEach !== undefined && !step.item)) return recordFailure(step, error, outputs);
  return import("./try-again.ts").then(({ tryAgain }) =>
    step.hasEnded || tryAgain(step, retry, error) ? undefined : recordFailure(step, error, outputs),
  );
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
