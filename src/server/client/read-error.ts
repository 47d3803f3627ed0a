import { type ErrorData, WorkflowError } from "../../core/model/errors.ts";

/** The error that a server answered, as clients throw it. */
export function readWireError({ code, message, details, path, line, column, source }: ErrorData): WorkflowError {
  const place = { path, line, column, source };
  const known = Object.entries(place).filter(([, part]) => part !== undefined);
  return new WorkflowError(code, message, { place: Object.fromEntries(known), ...(details && { details }) });
}
