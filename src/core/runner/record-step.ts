import type { Encoded } from "../model/encoding.ts";
import { WorkflowError, type ErrorData } from "../model/errors.ts";
import type { CompletedEntry, Entry, FailedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import { type HideOptions, isEntryShaped, type Session } from "../journal/journal.ts";
import type { Step } from "./step.ts";
import { recordOf, turnOf, type Unit } from "../machine/machine.ts";

/** Records that a block completed. Throws `VALUE_UNSERIALIZABLE` and `LIMIT_EXCEEDED` for outputs that cannot be kept. */
export function recordCompletion(step: Step, outputs: unknown, options?: HideOptions): Promise<void> | undefined {
  const made = step.around.session.encode(outputs, `The output of block "${step.block}"`, options);
  if (made instanceof Promise) return made.then((later) => writeCompletion(step, later));
  writeCompletion(step, made);
  return undefined;
}

function writeCompletion(step: Step, { encoded, value }: Encoded): void {
  const entry: CompletedEntry = { ...stepFields("completed", step), outputs: encoded };
  write(step, entry, encoded === value ? entry : { ...entry, outputs: value });
}

/** A failure on its way into the journal: the error as it can be kept, and what goes with it. */
export interface Failed {
  readonly error: ErrorData;
  /** What the block produced before. */
  readonly outputs?: unknown;
  /** What was thrown, for those who develop the block. */
  readonly cause?: unknown;
}

/** Records that a block failed, with what it produced before, if that can be kept. */
export function recordFailure(step: Step, { error, outputs, cause }: Failed): Promise<void> | undefined {
  if (outputs === undefined) {
    write(step, { ...stepFields("failed", step), error }, undefined, cause);
    return undefined;
  }
  const record = ({ encoded, value }: Encoded): void => {
    const entry: FailedEntry = { ...stepFields("failed", step), error, outputs: encoded };
    write(step, entry, { ...entry, outputs: value }, cause);
  };
  const encoded = step.around.session.encode(outputs, `The output of block "${step.block}"`);
  if (encoded instanceof Promise) return encoded.then(record);
  record(encoded);
  return undefined;
}

function write(step: Step, entry: CompletedEntry | FailedEntry, decoded: CompletedEntry | FailedEntry = entry, cause?: unknown): void {
  if (step.hasEnded) return;
  const text = entryText(entry, `The outputs of block "${step.block}"`);
  const { session } = step.around;
  // A failure must be recorded even where there is no room left; its outputs need not be.
  if (entry.outputs !== undefined) assertRoom(session, text.length);
  session.record(entry, decoded, { text, cause });
}

interface StepFields<Type> {
  type: Type;
  block: string;
  item?: number;
  at: number;
  ms?: number;
  given?: string;
  turn?: number;
  childEntries?: number;
}

/** The members that every record of a step begins with. */
export function stepFields<Type extends Entry["type"]>(type: Type, step: Step): StepFields<Type> {
  const at = step.around.session.now();
  const ms = elapsed(step, at);
  const { unit, turn, given, childEntries } = step;
  const { item } = unit;
  const { block } = step;
  const fields: StepFields<Type> = item === undefined ? { type, block, at } : { type, block, item, at };
  if (ms > 0) fields.ms = ms;
  if (given !== undefined) fields.given = given;
  if (turn > 0) fields.turn = turn;
  if (childEntries !== undefined) fields.childEntries = childEntries;
  return fields;
}

/** The revision under which a step began, where there was one. */
export function turnField({ turn }: Step): { turn?: number } {
  return turn > 0 ? { turn } : {};
}

/** The members that the record of a unit has that is not executed. */
export function unitFields(session: Session, unit: Unit): Omit<StepFields<never>, "type"> {
  const { ms = 0, given } = recordOf(session.state, unit) ?? {};
  const turn = turnOf(session.state, unit);
  const { block, item } = unit;
  const fields: ReturnType<typeof unitFields> = { block: session.compiled.plan.ids[block]!, at: session.now() };
  if (ms > 0) fields.ms = ms;
  if (item !== undefined) fields.item = item;
  if (given !== undefined) fields.given = given;
  if (turn > 0) fields.turn = turn;
  return fields;
}

/** How long the block ran in all its executions. */
function elapsed(step: Step, at: number): number {
  return Math.max(0, at - step.startedAt) + (step.record?.ms ?? 0);
}

/** Throws `CHECKPOINT_TOO_LARGE` where the values of a run would take more than its policy lets them. */
export function assertRoom(session: Session, length: number): void {
  const { sizeLimit } = session;
  if (session.folded.size + length <= sizeLimit) return;
  throw new WorkflowError(
    "CHECKPOINT_TOO_LARGE",
    `The values of this run take more than ${sizeLimit} characters in all. Keep large data elsewhere and pass its address, or let the policy of the executor allow more: maxCheckpointBytes.`,
    { details: { limit: sizeLimit } },
  );
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
