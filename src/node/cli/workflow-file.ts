import { readFileSync } from "node:fs";
import { builtinBlocks } from "../../blocks.ts";
import { WorkflowError, type Problem, type Workflow } from "../../index.ts";
import { checkWorkflow } from "../../yaml/index.ts";

/** A file that should hold a workflow, as it was found. */
export interface WorkflowFile {
  readonly path: string;
  readonly problems: readonly Problem[];
  /** Absent where a problem is an error. */
  readonly workflow?: Workflow;
}

/** Reads and checks a workflow. Throws `COMMAND_INVALID` where the file cannot be read. */
export function readWorkflowFile(path: string): WorkflowFile {
  return { path, ...checkWorkflow(readTextFile(path), { source: path, blocks: builtinBlocks }) };
}

/** The text of a file. Throws `COMMAND_INVALID`. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `The file ${path} cannot be read: ${reasonOf(error)}. Check its name.`, { cause: error });
  }
}

/** Why a file or a directory cannot be used, in a few words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS.get(code) ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is none of this name"],
  ["EISDIR", "it is a directory"],
  ["EACCES", "access is denied"],
]);
