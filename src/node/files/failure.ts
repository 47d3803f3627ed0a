import { isWorkflowError, WorkflowError } from "../../core/model/errors.ts";
import { showPath } from "../../core/model/file-path.ts";

/** Returns the error of a path that leads to no regular file. */
export function refusedKind(path: string, what: string): WorkflowError {
  return new WorkflowError("FILE_REFUSED", `${showPath(path)} ${what}. Name a regular file that no link leads to.`);
}

/** Returns the error of a failed file operation. A `WorkflowError` stays as it is. */
export function fileFailure(thrown: unknown, path: string): WorkflowError {
  if (isWorkflowError(thrown)) return thrown;
  switch (codeOf(thrown)) {
    case "ENOENT":
      return new WorkflowError("FILE_MISSING", `There is no file ${showPath(path)}. Correct the path, or make the file first.`, {
        cause: thrown,
      });
    case "EEXIST":
      return fileExists(path, thrown);
    case "ELOOP":
    case "ENOTDIR":
    case "EISDIR":
    case "ENXIO":
      return refusedKind(path, "leads to a link or to something that is no regular file");
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return failed(thrown, path, "this process may not do that there. Change the permissions");
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return failed(thrown, path, "the disk is full. Make room and try again; what was there before is unharmed");
    default:
      return failed(thrown, path, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** The error of a write that would replace a file without being told to. */
export function fileExists(path: string, cause?: unknown): WorkflowError {
  return new WorkflowError("FILE_EXISTS", `${showPath(path)} is there already. Set overwrite: true to replace it.`, { cause });
}

/** The code the platform gave an error, for example "ENOENT". */
export function codeOf(thrown: unknown): unknown {
  // Under Jest, what Node throws is no `Error` of the module that catches it.
  return typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
}

function failed(cause: unknown, path: string, reason: string): WorkflowError {
  return new WorkflowError("FILE_FAILED", `${showPath(path)} could not be used: ${reason}.`, { cause });
}
