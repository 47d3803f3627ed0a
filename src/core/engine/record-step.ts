import { WorkflowError, type ErrorData } from "../model/errors.ts";
import type { CompletedEntry, Entry, FailedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { Session } from "./session.ts";
import type { Step } from "./step.ts";

/** Characters of an error's message that are kept: it may repeat what the block was given. */
const MAX_MESSAGE_LENGTH = 4_000;
/** Characters of its details, written as JSON. */
const MAX_DETAILS_LENGTH = 65_536;

/** Records that a block completed. Throws `VALUE_UNSERIALIZABLE` and `LIMIT_EXCEEDED` for outputs that cannot be kept. */
export function recordCompletion(step: Step, outputs: unknown): Promise<void> | undefined {
  const encoded = step.around.session.encode(outputs, `The output of block "${step.block}"`);
  if (encoded instanceof Promise) return encoded.then((later) => writeCompletion(step, later.encoded, later.value));
  writeCompletion(step, encoded.encoded, encoded.value);
  return undefined;
}

function writeCompletion(step: Step, encoded: unknown, value: unknown): void {
  const entry: CompletedEntry = { type: "completed", ...stepFields(step), outputs: encoded };
  write(step, entry, encoded === value ? entry : { ...entry, outputs: value });
}

/** An error as it is recorded: whatever else is with it, it can be. */
export function keptError({ details, ...error }: ErrorData): ErrorData {
  const kept = { ...error, message: error.message.slice(0, MAX_MESSAGE_LENGTH) };
  return details && isKeepable(details) ? { ...kept, details } : kept;
}

function isKeepable(details: unknown): boolean {
  try {
    return JSON.stringify(details).length <= MAX_DETAILS_LENGTH;
  } catch {
    return false;
  }
}

/** Records that a block failed, with what it produced before, if that can be kept. */
export function recordFailure(step: Step, error: ErrorData, outputs?: unknown): Promise<void> | undefined {
  const kept = keptError(error);
  if (outputs === undefined) {
    write(step, { type: "failed", ...stepFields(step), error: kept });
    return undefined;
  }
  const record = ({ encoded, value }: { encoded: unknown; value: unknown }): void => {
    const entry: FailedEntry = { type: "failed", ...stepFields(step), error: kept, outputs: encoded };
    write(step, entry, { ...entry, outputs: value });
  };
  const encoded = step.around.session.encode(outputs, `The output of block "${step.block}"`);
  if (encoded instanceof Promise) return encoded.then(record);
  record(encoded);
  return undefined;
}

function write(step: Step, entry: CompletedEntry | FailedEntry, decoded: CompletedEntry | FailedEntry = entry): void {
  if (step.hasEnded) return;
  const text = entryText(entry, `The outputs of block "${step.block}"`);
  const { session } = step.around;
  // A failure has to be recorded, whatever it takes; its outputs have not.
  if (entry.outputs !== undefined) assertRoom(session, text.length);
  session.record(entry, decoded, text);
}

/** The members that every record of a step has. */
export function stepFields(step: Step): { block: string; item?: number; at: number; ms?: number } {
  const at = step.around.session.now();
  const ms = elapsed(step, at);
  const { item } = step.unit;
  if (item !== undefined) return { block: step.block, item, at, ...(ms > 0 ? { ms } : {}) };
  return ms > 0 ? { block: step.block, at, ms } : { block: step.block, at };
}

/** How long the block ran in all its executions. */
function elapsed(step: Step, at: number): number {
  return Math.max(0, at - step.startedAt) + (step.record?.ms ?? 0);
}

/** Throws `CHECKPOINT_TOO_LARGE` where the values of a run would take more than its policy lets them. */
export function assertRoom(session: Session, length: number): void {
  const { sizeLimit } = session;
  if (session.state.size + length <= sizeLimit) return;
  throw new WorkflowError(
    "CHECKPOINT_TOO_LARGE",
    `The values of this run take more than ${sizeLimit} characters in all. Keep large data elsewhere and pass its address, or let the policy of the executor allow more: maxCheckpointBytes.`,
    { details: { limit: sizeLimit } },
  );
}

/** An entry as JSON. Throws `LIMIT_EXCEEDED` for one that is too large; `what` names what makes it so. */
export function entryText(entry: Entry, what: string): string {
  const text = JSON.stringify(entry);
  if (text.length <= MAX_VALUE_LENGTH) return text;
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `${what} take ${text.length} characters; ${MAX_VALUE_LENGTH} are allowed. Keep large data elsewhere and pass its address.`,
    { details: { length: text.length, limit: MAX_VALUE_LENGTH } },
  );
}
