import { WorkflowError } from "../model/errors.ts";
import { compileMatcher } from "../expression/pattern.ts";
import { schemaPatterns } from "../model/json-schema.ts";
import type { PausedEntry } from "../model/journal.ts";
import type { JsonSchema } from "../model/run.ts";
import { isRecord } from "../model/value.ts";
import type { AnsweredQuestion, Question } from "../ports/block.ts";
import { lowerSchema } from "./lower-schema.ts";
import type { ReadyType } from "./ready-type.ts";
import { entryText, stepFields } from "./record-step.ts";
import type { Step } from "./step.ts";
import { unitKey } from "./unit.ts";

/** What a question expects where the block does not say: any text that is not empty. */
const ANY_TEXT: JsonSchema = { type: "string", minLength: 1 };

/**
 * Records the questions of a block. Its run waits for the answers once nothing else is left to do. Plain questions are recorded before it gives
 * its promise, so that they are stored together with what came just before them.
 */
export async function askQuestions(step: Step, questions: readonly Question[]): Promise<void> {
  const { session, donors } = step.around;
  const { state } = session;
  // Without one nobody could ever answer.
  if (!Array.isArray(questions) || questions.length === 0 || questions.some((question) => !isRecord(question))) {
    throw new WorkflowError("BLOCK_FAILED", `Block "${step.block}" pauses without a question. Return pause({ prompt }).`);
  }
  state.recheck.delete(unitKey(step.unit));
  const type = step.around.types.get(state.compiled.workflow.blocks[step.index]!.type);
  const unknown = questions.filter(({ child }) => !child || !isKnownQuestion(step, child.pause));
  for (const question of unknown) {
    assertTexts(question, step.block);
    const schema = schemaOf(question, type, step.block);
    // Nobody could answer a question whose patterns cannot be read.
    const patterns = schemaPatterns(schema);
    if (patterns.length > 0) await compileMatcher(patterns);
    const encoding = session.encode(question.metadata ?? {}, `The metadata of a question of block "${step.block}"`);
    const { encoded, value } = encoding instanceof Promise ? await encoding : encoding;
    const preset =
      question.prefill === undefined ? undefined : await session.encode(question.prefill, `The prefill of block "${step.block}"`);
    const before = question.child
      ? { answer: question.child.earlier, counts: false }
      : donors && (await donors.earlier(step.unit, { prompt: question.prompt, schema, metadata: value as AnsweredQuestion["metadata"] }));
    if (step.hasEnded) return;
    const entry: PausedEntry = {
      type: "paused",
      ...stepFields(step),
      pause: state.pauses.length,
      prompt: question.prompt,
      schema,
      metadata: encoded,
      ...(question === unknown.at(-1) ? {} : { more: true }),
      ...timeLimit(step, question),
      ...(question.child ? { child: question.child.pause, path: question.child.path, asks: question.child.asks } : {}),
      ...(before?.answer && !before.counts ? { earlier: before.answer } : {}),
      ...(question.title === undefined ? {} : { title: question.title }),
      ...(preset ? { prefill: preset.encoded } : {}),
      ...(question.sensitive ? { sensitive: true } : {}),
      ...(isSkippable(step, question) ? { skippable: true } : {}),
    };
    const text = entryText(entry, `The question of block "${step.block}"`);
    session.record(entry, { ...entry, metadata: value, ...(preset ? { prefill: preset.value } : {}) }, text);
    if (before?.counts) {
      session.record({ type: "answered", pause: entry.pause, response: before.answer?.response, by: "earlier", at: entry.at });
    } else if (donors) await donors.takeDraft(entry);
  }
}

/** Blocks need not be written in TypeScript. */
function assertTexts({ prompt, title = "" }: { readonly prompt: unknown; readonly title?: unknown }, block: string): void {
  const wrong = typeof prompt !== "string" ? "prompt" : typeof title !== "string" ? "title" : undefined;
  if (wrong) throw new WorkflowError("BLOCK_FAILED", `The ${wrong} of a question of block "${block}" is no text. Give pause() a string.`);
}

/** What an answer must look like. Throws `SCHEMA_INVALID`. */
export function schemaOf({ schema }: Question, type: Pick<ReadyType, "answerSchema"> | undefined, block: string): JsonSchema {
  return schema ? lowerSchema(schema, `The question of block "${block}"`) : (type?.answerSchema ?? ANY_TEXT);
}

/** Of a called run's question the block says so that asks it. */
function isSkippable({ around, index }: Step, { child }: Question): boolean {
  const { skippable } = child ?? around.session.state.compiled.workflow.blocks[index]!;
  return skippable === true;
}

/** When the question ends by itself, and what follows. */
function timeLimit(step: Step, { timeoutMs, onTimeout, child }: Question): Pick<PausedEntry, "until" | "onTimeout"> {
  const { session } = step.around;
  const { started, compiled } = session.state;
  if (child) return child.expiresAt === undefined ? {} : { until: child.expiresAt - started.at };
  const block = compiled.workflow.blocks[step.index]!;
  const limit = timeoutMs ?? block.answerTimeoutMs;
  if (limit === undefined) return {};
  if (!Number.isFinite(limit) || limit < 0) {
    throw new WorkflowError(
      "BLOCK_FAILED",
      `A question of block "${step.block}" has a time limit that is none. Give timeoutMs milliseconds.`,
    );
  }
  const follows = onTimeout ?? block.onTimeout;
  return { until: session.now() + limit, ...(follows === undefined ? {} : { onTimeout: follows }) };
}

/** A called run keeps its questions while others of it are answered. What it still asks is asked here, though it may have been answered before. */
function isKnownQuestion({ around, unit }: Step, child: number): boolean {
  return around.session.state.pauses.some(
    ({ entry, block, item, closed }) => entry.child === child && block === unit.block && item === unit.item && !closed,
  );
}
