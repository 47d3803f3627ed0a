import type { ErrorData } from "../core/model/errors.ts";
import type { RunResult } from "../core/model/result.ts";
import type { Pause } from "../core/model/run.ts";
import type { Value } from "../core/model/value.ts";
import type { Run } from "../core/engine/face.ts";

/** What a page keeps about one question while somebody answers it. */
export interface PauseForm {
  /** As it stands: the same object until something changes. */
  getSnapshot(): PauseFormState;
  /** Calls the listener after each change. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Sends an answer; what is wrong with it is in the state. Resolves when the run is settled again. */
  answer(response: Value): Promise<RunResult>;
  decline(action?: "decline" | "cancel" | "skip"): Promise<RunResult>;
  /** Keeps what was typed, a moment after the last change; at once when the page is about to go. */
  saveDraft(draft: Value | undefined): void;
}

export interface PauseFormState {
  /** Absent once the question no longer waits. */
  readonly pause: Pause | undefined;
  /** An answer is on its way. */
  readonly isSending: boolean;
  /** Why the last answer did not do; gone with the next one. */
  readonly error: ErrorData | undefined;
  /** What is wrong with single fields of it. */
  readonly fieldErrors: readonly FieldError[];
}

/** What is wrong with one field of an answer. */
export interface FieldError {
  /** Where it stands in the answer, as a JSON Pointer (RFC 6901): `/address/lines/0`; empty for the answer itself. */
  readonly instancePath: string;
  /** The keyword of the schema that it does not meet: `required`, `minLength`, `format`, …; `invalid` where a block says so itself. */
  readonly code: string;
  /** In English, beginning where the name of the field ends: "must not be empty". */
  readonly message: string;
  /** The limits the message names, for messages in other languages. */
  readonly params?: { readonly [name: string]: Value };
}

/** Makes the form of a question of a run. */
export declare function createPauseForm(run: Run, pause: string): PauseForm;
