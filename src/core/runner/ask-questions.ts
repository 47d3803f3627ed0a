import { WorkflowError } from "../model/errors.ts";
import { isPlainSchema, readySchema } from "../expression/ready-schema.ts";
import { sameValue } from "../model/fingerprint.ts";
import type { PausedEntry } from "../model/journal.ts";
import { type OnEvent, onReviseOf } from "../model/workflow.ts";
import type { EarlierAnswer } from "../model/run.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { isRecord, type Value } from "../model/value.ts";
import type { AnsweredQuestion, Question } from "../ports/block.ts";
import { lowerSchema } from "../definition/definition.ts";
import { hasChangedBefore, isUnanswered, type PauseState, type RunReading, standingOf, type Unit, unitState } from "../machine/machine.ts";
import type { ReadyType } from "./ready-type.ts";
import { assertEvents } from "./events.ts";
import { assertNoChanges, entryText, stepFields } from "./record-step.ts";
import { nameUnit, type StepContext } from "./step-context.ts";
import { findAnswerProblem } from "./check-answer.ts";
import type { KeptSecrets } from "../journal/journal.ts";

/** What a question expects where the block does not say: any text that is not empty. */
const ANY_TEXT: JsonSchema = { type: "string", minLength: 1 };

/**
 * Records the questions of a block. The run waits for the answers once nothing else is left to do. Plain questions are recorded before the promise is
 * returned, so that they are stored together with the entries just before them.
 */
export async function askQuestions(step: StepContext, given: readonly Question[]): Promise<void> {
  const { session, state } = step;
  const { types } = step.place.services;
  assertNoChanges(step);
  // Without a question the block could never be answered.
  if (!Array.isArray(given) || given.length === 0 || given.some((question) => !isRecord(question))) {
    throw new WorkflowError("BLOCK_FAILED", `Block "${step.block}" pauses without a question. Return pause({ prompt }).`);
  }
  // Each member is read once: what is checked is what is recorded.
  const questions = given.map((question: Question) => ({ ...question }));
  const type = types.get(step.definition.type);
  const asking = { run: session.folded, unit: step.unit, types, kept: session.kept };
  const unknown = questions.filter(({ child }) => !child || !isKnownQuestion(step, child.pause));
  withdrawOthers(step, questions);
  for (const question of unknown) {
    assertTexts(question, step.block);
    const schema = schemaOf(question, type, step.block);
    // A question whose patterns or conditions cannot be read could not be answered.
    if (!isPlainSchema(schema)) await readySchema(schema);
    // A called run has hidden its own.
    const own = { isOwn: question.child !== undefined };
    const encoding = session.encode(question.metadata ?? {}, `The metadata of a question of block "${step.block}"`, own);
    const { encoded, value } = encoding instanceof Promise ? await encoding : encoding;
    const preset =
      question.prefill === undefined ? undefined : await session.encode(question.prefill, `The prefill of block "${step.block}"`, own);
    const before = question.child
      ? { answer: question.child.earlier, counts: false }
      : unitState(state, step.unit).former === undefined
        ? undefined
        : await findEarlier(asking, { prompt: question.prompt, schema, metadata: value as AnsweredQuestion["metadata"] });
    if (step.hasEnded) return;
    const entry: PausedEntry = {
      ...stepFields("paused", step),
      pause: state.pauses.length,
      prompt: question.prompt,
      schema,
      metadata: encoded,
      ...(question === unknown.at(-1) ? {} : { more: true }),
      ...timeLimit(step, question),
      ...endingEvents(step, question),
      ...(question.child ? { child: question.child.pause, path: question.child.path, asks: question.child.asks } : {}),
      ...askedAgain(step, question),
      ...(before?.answer && !before.counts ? { earlier: before.answer } : {}),
      ...(question.title === undefined ? {} : { title: question.title }),
      ...(preset ? { prefill: preset.encoded } : {}),
      ...(question.sensitive ? { sensitive: true } : {}),
      ...(mayBe("skippable", step, question) ? { skippable: true } : {}),
      ...(type?.takesDecline || mayBe("declinable", step, question) ? { declinable: true } : {}),
    };
    const text = entryText(entry, `The question of block "${step.block}"`);
    session.record(entry, { ...entry, metadata: value, ...(preset ? { prefill: preset.value } : {}) }, { text });
    if (before?.counts && !step.isStale) {
      session.record({ type: "answered", pause: entry.pause, response: before.answer?.response, by: "earlier", at: entry.at });
    }
  }
}

/** Blocks need not be written in TypeScript. */
function assertTexts({ prompt, title = "" }: { readonly prompt: unknown; readonly title?: unknown }, block: string): void {
  const wrong = typeof prompt !== "string" ? "prompt" : typeof title !== "string" ? "title" : undefined;
  if (wrong) throw new WorkflowError("BLOCK_FAILED", `The ${wrong} of a question of block "${block}" is no text. Give pause() a string.`);
}

/** What an answer must look like. Throws `SCHEMA_INVALID`. */
export function schemaOf({ schema }: Question, type: Pick<ReadyType, "answerSchema"> | undefined, block: string): JsonSchema {
  if (!schema) return type?.answerSchema ?? ANY_TEXT;
  // A copy of the journal's own, as with every value: the block may go on to change its object.
  return JSON.parse(JSON.stringify(lowerSchema(schema, `The question of block "${block}"`))) as JsonSchema;
}

/** For a question of a called run, the block that asks it decides. */
function mayBe(key: "skippable" | "declinable", { definition }: StepContext, { child }: Question): boolean {
  return (child ?? definition)[key] === true;
}

/** When the question ends by itself, and what follows. */
function timeLimit(step: StepContext, { timeoutMs, onTimeout, child }: Question): Pick<PausedEntry, "until" | "onTimeout"> {
  if (child) return child.expiresAt === undefined ? {} : { until: child.expiresAt - step.state.started.at };
  const limit = timeoutMs ?? step.definition.answerTimeoutMs;
  if (limit === undefined) return {};
  if (!Number.isFinite(limit) || limit < 0) {
    throw new WorkflowError(
      "BLOCK_FAILED",
      `A question of block "${step.block}" has a time limit that is none. Give timeoutMs milliseconds.`,
    );
  }
  const follows = onTimeout ?? step.definition.onTimeout;
  return { until: step.session.now() + limit, ...(follows === undefined ? {} : { onTimeout: follows }) };
}

/** A question of a called run is counted by that run. */
function askedAgain({ state }: StepContext, { child }: Question): Pick<PausedEntry, "again"> {
  if (!child?.again) return {};
  const { times, firstAt, lastAt } = child.again;
  const { at } = state.started;
  return { again: { times, firstAt: firstAt - at, lastAt: lastAt - at } };
}

/** The events that end the question. For a question of a called run, that run decides. */
function endingEvents({ definition, block }: StepContext, { onEvent = definition.onEvent, child }: Question): Pick<PausedEntry, "onEvent"> {
  if (child || onEvent === undefined) return {};
  assertEvents(Object.keys(onEvent), `A question of block "${block}"`);
  // A copy of the journal's own: the block may go on to change its object.
  return { onEvent: JSON.parse(JSON.stringify(onEvent)) as OnEvent };
}

/** Withdraws questions that a called run no longer asks since an answer was changed there. */
function withdrawOthers({ session, state, unit, isStale }: StepContext, questions: readonly Question[]): void {
  const { open, pauses, revisions } = state;
  if (revisions === 0 || isStale) return;
  const asked = new Set(questions.map(({ child }) => child?.pause));
  const gone = [...open].filter((number) => {
    const { entry, block, item } = pauses[number]!;
    return block === unit.block && item === unit.item && entry.child !== undefined && !asked.has(entry.child);
  });
  if (gone.length === 0 && !unitState(state, unit).reopened) return;
  session.record({ type: "withdrawn", ...nameUnit(session, unit), pauses: gone, at: session.now() });
}

/** Whether a question of a called run is open here already: the called run keeps asking it while others are answered. */
function isKnownQuestion({ state, unit }: StepContext, child: number): boolean {
  const { open, pauses } = state;
  return unitState(state, unit).progress.asked.some((number) => pauses[number]!.entry.child === child && open.has(number));
}

/** The answer, from before a revision, to a question that is about to be asked. */
export interface Earlier {
  readonly answer: EarlierAnswer;
  /** Whether it still holds, so that the question need not be asked. */
  readonly counts: boolean;
}

/** A unit that is about to ask. */
export interface Asking {
  readonly run: RunReading;
  readonly unit: Unit;
  readonly types: ReadonlyMap<string, ReadyType>;
  /** The values behind markers in the answers of the run. */
  readonly kept?: KeptSecrets | undefined;
}

/**
 * The answer that the next question of a unit had before a revision; nothing where it had none. It counts where the question is the same, the answer
 * still fits, and the block does not want to ask again because something before it has changed.
 */
export async function findEarlier({ run, unit, types, kept }: Asking, question: AnsweredQuestion): Promise<Earlier | undefined> {
  const { state, compiled } = run;
  const number = unitState(state, unit).former?.[standingOf(state, unit).length];
  if (number === undefined) return undefined;
  const asked = state.pauses[number]!;
  const before = lastAnswered(state.pauses, asked);
  if (!before?.answer || before.answer.action || isUnanswered(before.answer)) return undefined;
  const response = before.answer.response as Value;
  const block = compiled.workflow.blocks[unit.block]!;
  const onRevise = onReviseOf(block);
  const opened = kept?.open(response, new Set()) ?? response;
  // What fitted on the day it was given still fits.
  const now = state.started.at + before.answer.at;
  if (await findAnswerProblem(question, opened, { now, type: types.get(block.type) }))
    return { answer: { response, state: "invalid" }, counts: false };
  const isTouched = onRevise !== "keep" && hasChangedBefore(run, unit.block, before.answer.place);
  if (isTouched && onRevise === "ask_again") return undefined;
  const isSame = !isTouched && sameQuestion(before, question);
  // A question that was opened again waits for a person, though its answer would do.
  return { answer: { response, state: isSame ? "ok" : "needs_review" }, counts: isSame && asked === before };
}

/** The asking itself where it was answered, else the one it took the place of. */
function lastAnswered(pauses: readonly PauseState[], asked: PauseState): PauseState | undefined {
  let found: PauseState | undefined = asked;
  while (found && !found.answer) found = found.supersedes === undefined ? undefined : pauses[found.supersedes];
  return found;
}

function sameQuestion({ entry, metadata }: PauseState, question: AnsweredQuestion): boolean {
  return entry.prompt === question.prompt && sameValue(entry.schema, question.schema) && sameValue(metadata, question.metadata);
}
