import type { ErrorCode } from "../model/errors.ts";
import { WorkflowError } from "../model/errors.ts";

/** An error about a text of the language, pointing at an offset (from 0) in it. */
export function expressionError(code: ErrorCode, offset: number, message: string): WorkflowError {
  return new WorkflowError(code, message, { place: { column: offset + 1 } });
}

/** Ends a message about something that braces cannot hold. */
export const ONE_REFERENCE = 'Braces hold one reference: write operators outside of them, and "$${" for a literal "${".';
