import type { FinishedEntry } from "../model/journal.ts";
import { WorkflowError } from "../model/errors.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { RunState } from "./state.ts";

/** The last entry of a run whose blocks are done: its outputs, resolved and converted. Throws `OUTPUT_INVALID` and what references throw. */
export function completeRun(state: RunState, at: number): FinishedEntry {
  const outputs = state.compiled.outputs(state.scope);
  const length = JSON.stringify(outputs).length;
  if (length > MAX_VALUE_LENGTH) {
    throw new WorkflowError("LIMIT_EXCEEDED", `The outputs of the workflow take ${length} characters; ${MAX_VALUE_LENGTH} are allowed.`, {
      details: { length, limit: MAX_VALUE_LENGTH },
    });
  }
  return { type: "finished", status: "completed", at, outputs };
}
