import { WorkflowError } from "../core/model/errors.ts";
import type { Value } from "../core/model/value.ts";

/** The error of a record that is not as it was sealed; `details` names it. */
export function tampered(what: string, details: { readonly [key: string]: Value }): WorkflowError {
  return new WorkflowError(
    "STORE_TAMPERED",
    `${what} is not as it was sealed: it was changed, moved, cut off or put back by something without the key. It was left as it is; restore it from a copy.`,
    { details },
  );
}

/** The error of a key that does not open the store. */
export function keyWrong(why: string): WorkflowError {
  return new WorkflowError("STORE_KEY_WRONG", `${why} Nothing was changed; open the store with the right one.`);
}
