import { readFileSync } from "node:fs";
import { isRecord } from "../../core/model/value.ts";
import { createRegistry, type FailedWorkflow } from "../../registry/index.ts";
import { failedWorkflow } from "../../registry/load-report.ts";
import { nameInText } from "../../registry/workflow-text.ts";
import { WorkflowError, type BlockType, type Problem, type Workflow } from "../../index.ts";
import { checkText } from "../../yaml/check-text.ts";
import { withBlocksAdvice, withBuiltin } from "./block-modules.ts";
import { importModule, isModulePath } from "./import-module.ts";
import { parseDocument } from "yaml";

/** A file that should hold a workflow, as it was found. */
export interface WorkflowFile {
  readonly path: string;
  readonly problems: readonly Problem[];
  /** Absent if a problem is an error. */
  readonly workflow?: Workflow;
  /** Present if a problem is an error. */
  readonly failed?: FailedWorkflow;
}

/**
 * Reads a workflow from YAML or a module in TypeScript or JavaScript, and checks it by itself. `blocks` are types in addition to the built-in ones. Throws
 * `COMMAND_INVALID` if the file cannot be read.
 */
export function readWorkflowFile(path: string, blocks: readonly BlockType[]): Promise<WorkflowFile> {
  return isModulePath(path) ? readWorkflowModule(path, blocks) : Promise.resolve(readWorkflowText(path, blocks));
}

/** The same of a file in YAML. */
export function readWorkflowText(path: string, blocks: readonly BlockType[]): WorkflowFile {
  const text = readTextFile(path);
  const { workflow, problems } = checkText(text, { source: path, blocks: withBuiltin(blocks), reducers: {} });
  return workflow ? { path, problems, workflow } : brokenFile(failedWorkflow(problems, { name: nameInText(text), source: path }));
}

async function readWorkflowModule(path: string, blocks: readonly BlockType[]): Promise<WorkflowFile> {
  const workflow = (await importModule(path)).get("default");
  if (!isRecord(workflow) || typeof workflow["name"] !== "string") {
    throw new WorkflowError("COMMAND_INVALID", "It has no workflow as its default export. Write: export default defineWorkflow({ … }).", {
      place: { source: path },
    });
  }
  const found = workflow as object as Workflow;
  const { loaded, failed } = createRegistry({ blocks: withBuiltin(blocks), reducers: {} }).add(found, { source: path });
  const [broken] = failed;
  return broken ? brokenFile(broken) : { path, problems: loaded[0]!.warnings, workflow: found };
}

/** A file that holds no valid workflow. */
export function brokenFile(found: FailedWorkflow): WorkflowFile {
  const failed = { ...found, problems: found.problems.map(withBlocksAdvice) };
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

/** Aliases a file may use: enough for every honest one, too few for a bomb. */
const MAX_ALIASES = 100;

/** Reads the value in a YAML or JSON file. Throws `COMMAND_INVALID` with the place of the first mistake. */
export function readDataFile(path: string): unknown {
  const document = parseDocument(readTextFile(path), { prettyErrors: true, version: "1.2" });
  const [error] = document.errors;
  if (error) {
    const [start] = error.linePos ?? [];
    throw new WorkflowError(
      "COMMAND_INVALID",
      `This is no readable YAML or JSON: ${error.message.split("\n")[0]!.replace(/ at line .*/, "")}.`,
      {
        place: { source: path, ...(start ? { line: start.line, column: start.col } : {}) },
      },
    );
  }
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}
