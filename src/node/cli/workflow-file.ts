import { readFileSync } from "node:fs";
import { builtinBlocks } from "../../blocks.ts";
import type { FailedWorkflow } from "../../registry/index.ts";
import { failedWorkflow } from "../../registry/load-report.ts";
import { nameInText } from "../../yaml/name-in-text.ts";
import { WorkflowError, type Problem, type Workflow } from "../../index.ts";
import { checkText } from "../../yaml/check-text.ts";

/** A file that should hold a workflow, as it was found. */
export interface WorkflowFile {
  readonly path: string;
  readonly problems: readonly Problem[];
  /** Absent where a problem is an error. */
  readonly workflow?: Workflow;
  /** Present where a problem is an error. */
  readonly failed?: FailedWorkflow;
}

/** Reads a workflow and checks what can be seen at once. Throws `COMMAND_INVALID` where the file cannot be read. */
export function readWorkflowFile(path: string): WorkflowFile {
  const text = readTextFile(path);
  const { workflow, problems } = checkText(text, { source: path, blocks: builtinBlocks, reducers: {} });
  return workflow ? { path, problems, workflow } : brokenFile(failedWorkflow(problems, { name: nameInText(text), source: path }));
}

/** A file that holds no valid workflow. */
export function brokenFile(failed: FailedWorkflow): WorkflowFile {
  return { path: failed.source!, problems: failed.problems, failed };
}

/** The file that should hold a workflow of this name and is broken. */
export function findBroken(files: readonly WorkflowFile[], name: string): FailedWorkflow | undefined {
  return files.find(({ failed }) => failed?.name === name)?.failed;
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
