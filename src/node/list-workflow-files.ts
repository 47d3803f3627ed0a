import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { WorkflowError } from "../core/model/errors.ts";
import { MAX_WORKFLOW_FILES } from "../core/model/limits.ts";
import { codeOf } from "./files/failure.ts";

/** The files found below a directory. */
export interface WorkflowFiles {
  /** Paths relative to the directory, with `/` between their parts, in the order of their names. */
  readonly paths: readonly string[];
  /** Folders that could not be read, and files that were left out. */
  readonly failures: readonly { readonly path: string; readonly error: WorkflowError }[];
}

/** Whether a file of this name holds a workflow. */
export function isWorkflowFile(name: string): boolean {
  return /\.ya?ml$/.test(name) && !isCaseFile(name);
}

/** Whether a file of this name holds test cases of the workflow beside it. */
export function isCaseFile(name: string): boolean {
  return /\.cases\.ya?ml$/.test(name);
}

/**
 * Finds the `.yaml` and `.yml` files of a directory and of the folders in it, at most {@link MAX_WORKFLOW_FILES}. Files of cases, hidden files and folders
 * and `node_modules` are passed over, and links to folders are not followed.
 */
export async function listWorkflowFiles(directory: string, signal?: AbortSignal): Promise<WorkflowFiles> {
  const paths: string[] = [];
  const failures: { path: string; error: WorkflowError }[] = [];
  // Folders and files that are still to be looked at, the next one last.
  const ahead: { readonly path: string; readonly isFolder: boolean }[] = [{ path: "", isFolder: true }];
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    if (signal?.aborted) throw new WorkflowError("ABORTED", "The reading of workflows was aborted.", { cause: signal.reason });
    const { path, isFolder } = next;
    if (isFolder) {
      try {
        ahead.push(...(await readFolder(directory, path)).toReversed());
      } catch (error) {
        failures.push({ path, error: unreadable(error) });
      }
    } else if (paths.length < MAX_WORKFLOW_FILES) {
      paths.push(path);
    } else {
      failures.push({ path: "", error: tooMany() });
      break;
    }
  }
  return { paths, failures };
}

async function readFolder(directory: string, path: string): Promise<readonly { readonly path: string; readonly isFolder: boolean }[]> {
  const entries = await readdir(join(directory, path), { withFileTypes: true });
  return entries
    .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() ? entry.name !== "node_modules" : isWorkflowFile(entry.name)))
    .map((entry) => ({ path: path === "" ? entry.name : `${path}/${entry.name}`, isFolder: entry.isDirectory() }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function unreadable(cause: unknown): WorkflowError {
  switch (codeOf(cause)) {
    case "ENOENT":
      return new WorkflowError("FILE_MISSING", "There is no such directory. Check its name.", { cause });
    case "ENOTDIR":
      return new WorkflowError("FILE_REFUSED", "This is no directory. Name the directory it lies in.", { cause });
    default:
      return new WorkflowError("FILE_FAILED", `This directory cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

function tooMany(): WorkflowError {
  return new WorkflowError(
    "LIMIT_EXCEEDED",
    `There are more than ${MAX_WORKFLOW_FILES} workflow files; the others were left out. Split the directory.`,
    { details: { limit: MAX_WORKFLOW_FILES } },
  );
}
