import { isWorkflowError, WorkflowError } from "../../core/model/errors.ts";
import { showPath } from "../../core/model/file-path.ts";

/** The error of a failed operation on the origin's files. A `WorkflowError` stays what it is. */
export function fileFailure(thrown: unknown, path: string): WorkflowError {
  if (isWorkflowError(thrown)) return thrown;
  switch (nameOf(thrown)) {
    case "NotFoundError":
      return new WorkflowError("FILE_MISSING", `There is no file ${showPath(path)}. Correct the path, or make the file first.`, {
        cause: thrown,
      });
    case "TypeMismatchError":
      return new WorkflowError(
        "FILE_REFUSED",
        `${showPath(path)} leads to or through something that is no file or no folder. Correct the path.`,
        {
          cause: thrown,
        },
      );
    case "TypeError":
      return new WorkflowError(
        "PATH_FORBIDDEN",
        `The path ${showPath(path)} has a name that this browser does not take. Use another path.`,
        {
          cause: thrown,
        },
      );
    case "QuotaExceededError":
      return failed(thrown, path, "the browser gives this site no more room. Make room and try again; what was there before is unharmed");
    case "SecurityError":
      return failed(thrown, path, "the browser keeps no files for this page, as in some private windows. Use an ordinary window");
    default:
      return failed(thrown, path, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** The name the platform gave an error, for example "NotFoundError". */
export function nameOf(thrown: unknown): unknown {
  return typeof thrown === "object" && thrown !== null && "name" in thrown ? thrown.name : undefined;
}

function failed(cause: unknown, path: string, reason: string): WorkflowError {
  return new WorkflowError("FILE_FAILED", `${showPath(path)} could not be used: ${reason}.`, { cause });
}
