import type { Encoded } from "../model/encoding.ts";
import { WorkflowError, type ErrorData } from "../model/errors.ts";
import type {
  CompletedEntry,
  EncodedValue,
  Entry,
  FailedEntry,
  FilesRead,
  NamedUnit,
  StepChanges,
  WaitingEntry,
  Writes,
} from "../model/journal.ts";
import { DEFAULT_ITERATIONS, MAX_CHECKPOINT_METADATA, MAX_SUPERSTEPS, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { type HideOptions, isEntryShaped, type Session } from "../journal/journal.ts";
import { nameUnit, type StepContext } from "./step-context.ts";
import type { Scope } from "../expression/scope.ts";
import type { CachedFrom } from "../model/run.ts";
import { channelCode, outcomeScope, recordOf, turnOf, type Unit, unitState } from "../machine/machine.ts";
import { awaitedEvents } from "./events.ts";
import { after } from "./waiting.ts";
import type { Waiting } from "../ports/block.ts";

/** A failure for the journal: the error as it can be stored, and what goes with it. */
export interface Failed {
  readonly error: ErrorData;
  /** What the block produced before. */
  readonly outputs?: unknown;
  /** What was thrown, for those who develop the block. */
  readonly cause?: unknown;
}

/** What is recorded with the end of a block, as it can be stored. */
interface Ended {
  readonly made: Encoded;
  readonly changes?: EncodedChanges | undefined;
  readonly cause?: unknown;
}

/** What an execution leaves in its run beside its outputs: encoded for the journal, and as the run has it. */
interface EncodedChanges {
  readonly encoded: StepChanges;
  readonly value: StepChanges;
}

/** Records that a block completed or failed. Throws `LIMIT_EXCEEDED` and `CHECKPOINT_TOO_LARGE` for outputs that cannot be kept. */
function recordEnd(step: StepContext, end: End, { made: { encoded, value }, changes, cause }: Ended): void {
  const { session, block } = step;
  if (step.hasEnded) return;
  const fields: EndFields = stepFields(end.type, step);
  if (end.type === "failed") fields.error = end.error;
  // A failure chose nothing, nor does an item.
  else if (step.unit.item === undefined && step.chosen) fields.next = step.chosen;
  if (encoded !== undefined) fields.outputs = encoded;
  if (end.type === "completed" && step.cached) fields.cached = step.cached;
  if (changes) Object.assign(fields, changes.encoded);
  const entry = fields as CompletedEntry | FailedEntry;
  const text = entryText(entry, `The outputs of block "${block}"`);
  // A failure must be recorded even where there is no room left; its outputs need not be.
  if (encoded !== undefined) session.assertRoom(text.length);
  const isPlain = encoded === value && changes === undefined;
  session.record(entry, isPlain ? entry : { ...entry, outputs: value, ...changes?.value }, { text, cause });
}

type End = Pick<CompletedEntry, "type"> | Pick<FailedEntry, "type" | "error">;

/** What a block produced, for the journal. Throws `VALUE_UNSERIALIZABLE` and `LIMIT_EXCEEDED`. */
function encodeOutputs({ session, block }: StepContext, outputs: unknown, options?: HideOptions): Encoded | Promise<Encoded> {
  return outputs === undefined ? NO_OUTPUTS : session.encode(outputs, `The output of block "${block}"`, options);
}

const NO_OUTPUTS: Encoded = { encoded: undefined, value: undefined };

/**
 * Records that a block completed, with its outputs and its writes to channels; or, where the workflow repeats it, that it runs once more. An iteration
 * that is followed by another keeps only its writes. Throws what {@link encodeOutputs}, {@link recordEnd} and {@link recordIteration} throw,
 * `CHANNEL_INVALID`, and what expressions of the workflow throw.
 */
export function recordCompletion(step: StepContext, outputs: unknown, options: HideOptions = {}): Promise<void> | void {
  return after(encodeOutputs(step, outputs, options), (made) => {
    const { definition, session } = step;
    const isSaid = definition.writes !== undefined || definition.repeatWhile !== undefined;
    if (!isSaid && !step.changes && !step.compiled.block(step.unit.block).choosesByChannels) return recordEnd(step, COMPLETED, { made });
    const repeats = concludeWrites(step, session.kept?.open(made.value, new Set()) ?? made.value);
    if (repeats) return recordIteration(step, undefined);
    return after(encodeChanges(step), (changes) => recordEnd(step, COMPLETED, { made, changes }));
  });
}

const COMPLETED: End = { type: "completed" };

/** Adds the `writes` of the workflow to those of the step. Gives whether the block runs once more. */
function concludeWrites(step: StepContext, outputs: unknown): boolean {
  const { session, unit } = step;
  const block = step.compiled.block(unit.block);
  const scopeOf = (): Scope => outcomeScope(session, unit, step.scope, { outputs, writes: step.changes?.writes });
  for (const [name, change] of Object.entries(block.writes(scopeOf()) ?? {})) step.write(name, change);
  if (block.repeats(scopeOf())) return true;
  // Decide now: channels may hold something else by the time others ask.
  if (block.choosesByChannels && !step.chosen) step.chosen = [block.next(scopeOf()) ?? []].flat();
  return false;
}

/** What each change is in messages, of those that hold any value. */
const CHANGES: { readonly [name in Exclude<keyof StepChanges, "added" | "touches">]: (block: string) => string } = {
  writes: (block) => `What block "${block}" writes to channels`,
  checkpoint: (block) => `The metadata of the checkpoint that block "${block}" asks for`,
  files: (block) => `The files that block "${block}" wrote`,
};

/**
 * Encodes what a step leaves in its run beside its outputs; nothing where it leaves nothing. Rejects with the first mistake in blocks that it adds. Throws
 * `LIMIT_EXCEEDED` for metadata that is too large and for a run that would never end, and `CHANNEL_INVALID` for writes that cannot be joined in their
 * stored form.
 */
function encodeChanges(step: StepContext): EncodedChanges | undefined | Promise<EncodedChanges> {
  if (step.changes?.added) {
    assertSupersteps(step, "");
    return step.place.admitAdded(step).then(() => encodeAdmitted(step));
  }
  return step.changes && encodeAdmitted(step);
}

function encodeAdmitted({ changes = {}, session, block, unit }: StepContext): EncodedChanges | Promise<EncodedChanges> {
  const { added, touches, ...values } = changes;
  const plain = { ...(added && { added }), ...(touches && { touches }) };
  const names = Object.keys(values) as (keyof typeof CHANGES)[];
  const encode = (name: keyof typeof CHANGES): Encoded | Promise<Encoded> => session.encode(values[name], CHANGES[name](block));
  const join = (all: readonly Encoded[]): EncodedChanges => {
    const encoded: StepChanges = Object.fromEntries(names.map((name, i) => [name, all[i]!.encoded]));
    assertMetadata(encoded.checkpoint, block);
    const value: StepChanges = Object.fromEntries(names.map((name, i) => [name, all[i]!.value]));
    if (value.writes) channelCode(session)?.assertJoins(session, unit, value.writes as Writes);
    return { encoded: { ...encoded, ...plain }, value: { ...value, ...plain } };
  };
  const made = names.map(encode);
  return made.some((one) => one instanceof Promise) ? Promise.all(made).then(join) : join(made as Encoded[]);
}

function assertMetadata(metadata: EncodedValue | undefined, block: string): void {
  const length = metadata === undefined ? 0 : JSON.stringify(metadata).length;
  if (length <= MAX_CHECKPOINT_METADATA) return;
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `${CHANGES.checkpoint(block)} takes ${length} characters; ${MAX_CHECKPOINT_METADATA} are allowed. Keep what is larger in outputs or channels.`,
    { details: { block, length, limit: MAX_CHECKPOINT_METADATA } },
  );
}

/** Refuses changes by a block that asks or waits: they are recorded with its end only, and it has not ended. */
export function assertNoChanges({ changes, ownFiles, block }: StepContext): void {
  if (ownFiles) {
    throw new WorkflowError(
      "FILE_REFUSED",
      `Block "${block}" wrote a file to its run, and then asked or waited. Write once it goes on: in the execution that gives its outputs.`,
      { details: { block } },
    );
  }
  const [channel] = Object.keys(changes?.writes ?? {});
  if (channel !== undefined) {
    throw new WorkflowError(
      "CHANNEL_INVALID",
      `Block "${block}" wrote to channel "${channel}", and then asked or waited. Write once it goes on: in the execution that gives its outputs.`,
      { details: { block, channel } },
    );
  }
  if (changes === undefined) return;
  throw new WorkflowError(
    "BLOCK_FAILED",
    `Block "${block}" ${changes.added ? "added blocks" : "asked for a checkpoint"}, and then asked or waited. Do that once the block goes on: in the execution that gives its outputs.`,
    { details: { block } },
  );
}

/** Records that a block failed: for good, or with the time of the next attempt, where its policy says so. */
export function recordFailure(step: StepContext, { error, outputs, cause }: Failed): Promise<void> | void {
  if (step.definition.retry && tryAgain(step, { error, cause })) return undefined;
  return after(encodeOutputs(step, outputs), (made) => recordEnd(step, { type: "failed", error }, { made, cause }));
}

/** Gives whether the block is tried again; not where the failure is final, or there is no room for another attempt. */
function tryAgain(step: StepContext, { error, cause }: Failed): boolean {
  const { session, host } = step;
  const fields = stepFields("attempted", step);
  const next = session.folded.decideFailure({ unit: step.unit, code: error.code, at: fields.at, chance: host.random() });
  if (next.do === "fail" || session.folded.size > session.sizeLimit) return false;
  const entry = { ...fields, ...answerField(step), error, until: next.until };
  const text = JSON.stringify(entry);
  if (text.length > MAX_VALUE_LENGTH) return false;
  session.record(entry, entry, { text, cause });
  return true;
}

/** Records that a block runs once more. Throws `LIMIT_EXCEEDED` for a block or a run that would never end. */
export function recordIteration(step: StepContext, carried: unknown): Promise<void> | void {
  const { session, block, definition } = step;
  const limit = definition.maxIterations ?? DEFAULT_ITERATIONS;
  if (step.iteration >= limit) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `Block "${block}" ran ${limit} times and asked to run again. Let it come to an end, or raise its max_iterations.`,
      { details: { limit } },
    );
  }
  assertSupersteps(step, "");
  const what = `What block "${block}" carries over`;
  return after(session.encode(carried ?? null, what), ({ encoded, value }) =>
    after(encodeChanges(step), (changes) => {
      if (step.hasEnded) return;
      const entry = { ...stepFields("iterated", step), value: encoded, ...changes?.encoded };
      const text = entryText(entry, what);
      session.assertRoom(text.length);
      const { iteration: before, unit } = step;
      session.record(entry, { ...entry, value, ...changes?.value }, { text });
      session.warn(before, { limit: "iterations", ...nameUnit(session, unit), used: step.iteration, allowed: limit });
    }),
  );
}

/**
 * Records what a block waits for: an instant in milliseconds since the epoch, events, or the run that it called. An instant in the past counts as an
 * iteration: throws `LIMIT_EXCEEDED` for a run that would never end.
 */
export function recordWait(step: StepContext, waiting: Waiting): Promise<void> | void {
  if (waiting.events === undefined) return recordWaitWith(step, waiting.until);
  return awaitedEvents(step, waiting).then((awaited) => (step.hasEnded ? undefined : recordWaitWith(step, waiting.until, awaited)));
}

function recordWaitWith(step: StepContext, instant: number | undefined, awaited?: Pick<WaitingEntry, "events" | "schema">): void {
  const { state, unit, session } = step;
  if (instant === undefined ? !awaited && !unitState(state, unit).caller : !Number.isFinite(instant))
    throw new WorkflowError("BLOCK_FAILED", `Block "${step.block}" waits for no instant. Give waitUntil milliseconds.`);
  assertNoChanges(step);
  const fields = stepFields("waiting", step);
  if (instant === undefined) {
    const { sleeper } = unitState(state, unit).progress;
    // It has read the called run, and keeps waiting for it.
    if (!awaited && sleeper && sleeper.until === undefined) return;
    return session.record({ ...fields, ...answerField(step), ...awaited });
  }
  const until = instant - state.started.at;
  if (until <= fields.at) assertSupersteps(step, " Give waitUntil an instant that is to come.");
  session.record({ ...fields, ...answerField(step), until, ...awaited });
}

function assertSupersteps({ state }: StepContext, wayOut: string): void {
  if (state.supersteps < MAX_SUPERSTEPS) return;
  throw new WorkflowError("LIMIT_EXCEEDED", `The blocks of this run asked to run again more than ${MAX_SUPERSTEPS} times.${wayOut}`, {
    details: { limit: MAX_SUPERSTEPS },
  });
}

interface StepFields<Type> extends NamedUnit {
  type: Type;
  at: number;
  ms?: number;
  given?: string;
  turn?: number;
  childEntries?: number;
  read?: FilesRead;
  signal?: string;
}

/** What else the record of an end has. */
interface EndFields extends StepFields<"completed" | "failed"> {
  error?: ErrorData;
  next?: readonly string[];
  outputs?: unknown;
  cached?: CachedFrom;
}

/** The members that every record of a step begins with. */
export function stepFields<Type extends Entry["type"]>(type: Type, step: StepContext): StepFields<Type> {
  const { unit, turn, given, childEntries, filesRead, signalId, block, startedAt, record } = step;
  const at = step.session.now();
  // How long the block ran in all its executions.
  const ms = Math.max(0, at - startedAt) + (record?.ms ?? 0);
  const { item } = unit;
  const fields: StepFields<Type> = item === undefined ? { type, block, at } : { type, block, item, at };
  if (ms > 0) fields.ms = ms;
  if (given !== undefined) fields.given = given;
  if (turn > 0) fields.turn = turn;
  if (childEntries !== undefined) fields.childEntries = childEntries;
  if (filesRead) fields.read = filesRead;
  if (signalId !== undefined) fields.signal = signalId;
  return fields;
}

/** The members of the record of a unit that is not executed. */
export function unitFields(session: Session, unit: Unit): Omit<StepFields<never>, "type"> {
  const { ms = 0, given } = recordOf(session.state, unit) ?? {};
  const turn = turnOf(session.state, unit);
  const fields: ReturnType<typeof unitFields> = { ...nameUnit(session, unit), at: session.now() };
  if (ms > 0) fields.ms = ms;
  if (given !== undefined) fields.given = given;
  if (turn > 0) fields.turn = turn;
  return fields;
}

/** The revision under which a step began, where there was one. */
export function turnField({ turn }: StepContext): { turn?: number } {
  return turn > 0 ? { turn } : {};
}

/** The question whose answer a step goes on with, where there was one. */
export function answerField({ answers }: StepContext): { pause?: number } {
  return answers === undefined ? {} : { pause: answers };
}

/**
 * An entry as JSON. Throws `LIMIT_EXCEEDED` for one that is too large, and `BLOCK_FAILED` for one that could not be read again; `what` names what
 * makes it so.
 */
export function entryText(entry: Entry, what: string): string {
  if (entry.type !== "completed" && !isEntryShaped(entry)) {
    throw new WorkflowError("BLOCK_FAILED", `${what} have members of another kind than they must. Look at what the block returns.`);
  }
  const text = JSON.stringify(entry);
  if (text.length <= MAX_VALUE_LENGTH) return text;
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `${what} take ${text.length} characters; ${MAX_VALUE_LENGTH} are allowed. Keep large data elsewhere and pass its address.`,
    { details: { length: text.length, limit: MAX_VALUE_LENGTH } },
  );
}
