import { encodeValue } from "../model/encoding.ts";
import { errorData, isStoreError, WorkflowError, type ErrorData } from "../model/errors.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { Entry } from "../model/journal.ts";
import { isRecord, type Values } from "../model/value.ts";
import type { Validation } from "../ports/block-schema.ts";
import type { BlockContext, BlockResult, ChildResult } from "../ports/block.ts";
import type { AbortSignalLike, Host } from "../ports/host.ts";
import { runScope } from "./context.ts";
import { skippingDependency } from "./decide.ts";
import type { ReadyType } from "./ready-type.ts";
import type { Session } from "./session.ts";

/** What a block gets from its run. */
export interface BlockSurroundings {
  readonly session: Session;
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly host: Host;
  readonly signal: AbortSignalLike;
  call(block: number, workflow: string, inputs: Values): Promise<ChildResult>;
  /** Told when a block turns out to take time, and when it is done. */
  running(block: number, startedAt: number | undefined): void;
}

/**
 * Executes one block and records the outcome. What can be done at once is done without a promise, so that a wave of quick blocks costs no
 * more than a loop. Only broken infrastructure (a `STORE_…` code) rejects; everything else a block does is recorded.
 */
export function runBlock(around: BlockSurroundings, block: number): Promise<void> | undefined {
  const { session } = around;
  const { state } = session;
  const { plan, workflow } = state.compiled;
  const id = plan.ids[block]!;
  const startedAt = session.now();
  return guard(around, block, startedAt, () => {
    const dependency = skippingDependency(state, block);
    if (dependency >= 0) {
      session.record({ type: "skipped", block: id, at: startedAt, reason: { kind: "dependency", block: plan.ids[dependency]! } });
      return;
    }
    if (!state.compiled.block(block).holds(runScope(state))) {
      session.record({
        type: "skipped",
        block: id,
        at: startedAt,
        reason: { kind: "condition", condition: String(workflow.blocks[block]!.condition) },
      });
      return;
    }
    return execute(around, block, (type, context) => type.execute(context as BlockContext<never>));
  });
}

/** Gives an answer to the block that asked, or lets a block that waits for a called run look how that stands. */
export function resumeBlock(around: BlockSurroundings, block: number, pause: number): Promise<void> | undefined {
  const { session } = around;
  const asked = session.state.pauses[pause]!;
  return guard(around, block, session.now(), () =>
    execute(
      around,
      block,
      (type, context) => {
        if (!type.resume) throw notInteractive(session.state.compiled.plan.ids[block]!, type);
        const { prompt, schema } = asked.entry;
        return type.resume({ ...context, response: asked.answer?.response, pause: { prompt, schema, metadata: asked.metadata } } as never);
      },
      pause,
    ),
  );
}

function notInteractive(id: string, type: ReadyType): WorkflowError {
  return new WorkflowError(
    "BLOCK_NOT_INTERACTIVE",
    `Block "${id}" of type ${type.type} has no resume, so it cannot take an answer. Give the block type a resume function.`,
  );
}

type Invoke = (type: ReadyType, context: BlockContext<unknown>) => BlockResult | Promise<BlockResult>;

function execute(around: BlockSurroundings, block: number, invoke: Invoke, pause?: number): Promise<void> | undefined {
  const { session } = around;
  const { state } = session;
  const definition = state.compiled.workflow.blocks[block]!;
  const type = around.types.get(definition.type);
  if (!type) {
    throw new WorkflowError(
      "BLOCK_TYPE_UNKNOWN",
      `Block "${definition.id}" has the type "${definition.type}", which this executor does not have. Give it in \`blocks\`.`,
    );
  }
  const startedAt = session.now();
  const inputs = state.compiled.block(block).inputs(runScope(state));
  const proceed = (validation: Validation): Promise<void> | undefined => {
    if (validation.issues) throw invalidValue("BLOCK_INPUT_INVALID", `The inputs of block "${definition.id}"`, validation.issues);
    const result = invoke(type, blockContext(around, block, validation.value));
    if (!(result instanceof Promise)) return conclude(around, type, block, startedAt, result, pause);
    around.running(block, startedAt);
    return result.then((settled) => conclude(around, type, block, startedAt, settled, pause));
  };
  const validation: Validation | Promise<Validation> = type.validateInputs?.(inputs) ?? { value: inputs };
  return validation instanceof Promise ? validation.then(proceed) : proceed(validation);
}

function blockContext(around: BlockSurroundings, block: number, inputs: unknown): BlockContext<unknown> {
  const { id, compiled } = around.session.state;
  return {
    inputs,
    signal: around.signal,
    run: id,
    block: compiled.plan.ids[block]!,
    idempotencyKey: `${id}/${compiled.plan.ids[block]!}`,
    host: around.host,
    call: (workflow, values) => around.call(block, workflow, values),
  };
}

/** Records a failure for whatever is thrown, at once or later. */
function guard(
  around: BlockSurroundings,
  block: number,
  startedAt: number,
  action: () => Promise<void> | undefined,
): Promise<void> | undefined {
  const failed = (error: unknown): void => {
    if (isStoreError(error)) throw error;
    if (hasEnded(around, block)) return;
    recordFailure(around, block, startedAt, errorData(error, "BLOCK_FAILED"), undefined);
  };
  try {
    return action()
      ?.catch(failed)
      .finally(() => around.running(block, undefined));
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** A block that was stopped may still come to its end; its run no longer listens. */
export function hasEnded(around: BlockSurroundings, block: number): boolean {
  return around.session.state.finished !== undefined || around.signal.aborted || around.session.state.records[block]?.error !== undefined;
}

function conclude(
  around: BlockSurroundings,
  type: ReadyType,
  block: number,
  startedAt: number,
  result: BlockResult,
  pause: number | undefined,
): Promise<void> | undefined {
  if (hasEnded(around, block)) return undefined;
  switch (result.status) {
    case "success":
      return recordOutputs(around, type, block, startedAt, result.outputs);
    case "failure":
      return recordFailure(around, block, startedAt, result.error, result.outputs);
    case "paused":
      if (!type.resume) throw notInteractive(around.session.state.compiled.plan.ids[block]!, type);
      return import("./ask-questions.ts").then(({ askQuestions }) => askQuestions(around, block, startedAt, result.questions));
    case "invalid":
      if (pause === undefined) return recordFailure(around, block, startedAt, result.error, undefined);
      around.session.record({ type: "reopened", pause, error: result.error, at: around.session.now() });
      return undefined;
    default:
      throw new WorkflowError(
        "BLOCK_FAILED",
        `Block type ${type.type} gave no result. Return success(…), failure(…), pause(…) or invalid(…).`,
      );
  }
}

function recordOutputs(
  around: BlockSurroundings,
  type: ReadyType,
  block: number,
  startedAt: number,
  outputs: unknown,
): Promise<void> | undefined {
  const id = around.session.state.compiled.plan.ids[block]!;
  const proceed = (validation: Validation): Promise<void> | undefined => {
    if (validation.issues) throw invalidValue("OUTPUT_INVALID", `The outputs of block "${id}"`, validation.issues);
    if (!isRecord(validation.value)) {
      throw new WorkflowError("OUTPUT_INVALID", `The outputs of block "${id}" are not named values. Return success({ name: value }).`);
    }
    return recordStep(around, block, startedAt, { type: "completed" }, validation.value);
  };
  const validation: Validation | Promise<Validation> = type.validateOutputs?.(outputs) ?? { value: outputs };
  return validation instanceof Promise ? validation.then(proceed) : proceed(validation);
}

function recordFailure(
  around: BlockSurroundings,
  block: number,
  startedAt: number,
  error: ErrorData,
  outputs: unknown,
): Promise<void> | undefined {
  return recordStep(
    around,
    block,
    startedAt,
    { type: "failed", error: { ...error, message: error.message.slice(0, MAX_MESSAGE_LENGTH) } },
    outputs,
  );
}

/** Characters of an error's message that are kept: it may repeat what the block was given. */
const MAX_MESSAGE_LENGTH = 4_000;

type StepKind = { readonly type: "completed" } | { readonly type: "failed"; readonly error: ErrorData };

function recordStep(
  around: BlockSurroundings,
  block: number,
  startedAt: number,
  kind: StepKind,
  outputs: unknown,
): Promise<void> | undefined {
  const { session } = around;
  const id = session.state.compiled.plan.ids[block]!;
  const write = (encoded: unknown, value: unknown): void => {
    if (hasEnded(around, block)) return;
    const step = stepFields(around, block, startedAt);
    const entry = (encoded === undefined ? { ...kind, ...step } : { ...kind, ...step, outputs: encoded }) as Entry;
    const text = JSON.stringify(entry);
    if (text.length > MAX_VALUE_LENGTH) throw tooLarge(`The outputs of block "${id}"`, text.length);
    session.record(entry, value === encoded ? entry : ({ ...entry, outputs: value } as Entry), text);
  };
  if (outputs === undefined) {
    write(undefined, undefined);
    return undefined;
  }
  const encoded = encodeValue(outputs, `The output of block "${id}"`);
  if (encoded instanceof Promise) return encoded.then(({ encoded: plain, value }) => write(plain, value));
  write(encoded.encoded, encoded.value);
  return undefined;
}

/** The members that every record of a step has. */
export function stepFields(around: BlockSurroundings, block: number, startedAt: number): { block: string; at: number; ms?: number } {
  const { state } = around.session;
  const at = around.session.now();
  const ms = Math.max(0, at - startedAt) + (state.records[block]?.ms ?? 0);
  const step = { block: state.compiled.plan.ids[block]!, at };
  return ms > 0 ? { ...step, ms } : step;
}

export function tooLarge(what: string, length: number): WorkflowError {
  return new WorkflowError(
    "LIMIT_EXCEEDED",
    `${what} take ${length} characters; ${MAX_VALUE_LENGTH} are allowed. Keep large data elsewhere and pass its address.`,
    {
      details: { length, limit: MAX_VALUE_LENGTH },
    },
  );
}

function invalidValue(
  code: "BLOCK_INPUT_INVALID" | "OUTPUT_INVALID",
  what: string,
  issues: readonly { readonly path: string; readonly message: string }[],
): WorkflowError {
  const list = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return new WorkflowError(code, `${what} are not as the block type wants them. ${list.join(" ")}`, { details: { problems: list } });
}
