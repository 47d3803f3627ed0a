import { WorkflowError } from "../model/errors.ts";
import { FORBIDDEN_KEYS } from "../model/value.ts";

/** Whether a key may stand in a reference: the engine's own state and the ways into prototypes are out of reach. */
export function isForbiddenKey(key: string | number): boolean {
  return key === "__internal__" || (typeof key === "string" && FORBIDDEN_KEYS.has(key));
}

/** The error for a key that {@link isForbiddenKey}: `REFERENCE_FORBIDDEN`. */
export function forbiddenKey(key: string | number, column: number): WorkflowError {
  return new WorkflowError(
    "REFERENCE_FORBIDDEN",
    `"${key}" is not data and cannot be referenced. Refer to inputs, metadata or outputs of blocks.`,
    {
      place: { column },
    },
  );
}
