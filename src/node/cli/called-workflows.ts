import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { WorkflowError, type Workflow } from "../../index.ts";
import { plainLine } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";
import { readWorkflowFile, reasonOf, type WorkflowFile } from "./workflow-file.ts";

/** The block type that runs another workflow. */
export const CALLER = "ExecuteWorkflow";

/**
 * The workflows that a workflow may call, directly or not: those given with `--workflows`, and those of its own directory that it names.
 * Where a name is put together when the block runs, every workflow of the directory may be meant.
 */
export function findCalled(path: string, workflow: Workflow, given: readonly Workflow[], terminal: Terminal): readonly Workflow[] {
  const loaded = new Map([workflow, ...given].map((one) => [one.name, one]));
  let nearby: ReadonlyMap<string, WorkflowFile> | undefined;
  const missing = new Set<string>();
  for (const caller of loaded.values()) {
    for (const name of calledNames(caller)) {
      if (name !== undefined && loaded.has(name)) continue;
      nearby ??= readNearby(dirname(path), path, terminal);
      for (const file of name === undefined ? nearby.values() : [nearby.get(name)]) {
        // What is put into the map while it is walked is walked too: called workflows call others.
        if (file?.workflow && !loaded.has(file.workflow.name)) loaded.set(file.workflow.name, file.workflow);
      }
      if (name !== undefined && !loaded.has(name)) missing.add(name);
    }
  }
  for (const name of missing) {
    note(terminal, `No workflow "${plainLine(name)}" in ${dirname(path)}, which a block calls. Name its place with --workflows.`);
  }
  return [...loaded.values()].filter((one) => one !== workflow && !given.includes(one));
}

/** The workflows named with `--workflows`. Throws `COMMAND_INVALID`; broken files of a directory are left out and named. */
export function readGiven(paths: readonly string[], terminal: Terminal): readonly Workflow[] {
  return paths.flatMap((path) => {
    if (isDirectory(path)) return [...readNearby(path, undefined, terminal).values()].flatMap(({ workflow }) => workflow ?? []);
    const { workflow, problems } = readWorkflowFile(path);
    if (workflow) return [workflow];
    const { code, message, line, column } = problems.find(({ severity }) => severity === "error")!;
    throw new WorkflowError(code, message, {
      place: { source: path, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) },
    });
  });
}

/** The names of the workflows that the blocks of a workflow call; nothing for a name that is put together when the block runs. */
function calledNames({ blocks }: Workflow): readonly (string | undefined)[] {
  return blocks.flatMap(({ type, inputs }) => {
    const name = type === CALLER ? inputs?.["workflow"] : undefined;
    return typeof name === "string" ? [name.includes("${") ? undefined : name] : [];
  });
}

function readNearby(directory: string, except: string | undefined, terminal: Terminal): ReadonlyMap<string, WorkflowFile> {
  const found = new Map<string, WorkflowFile>();
  for (const path of workflowPaths(directory)) {
    if (path === except) continue;
    const file = readWorkflowFile(path);
    const name = file.workflow?.name;
    if (name === undefined) note(terminal, `${path} is left out: it holds no valid workflow. See wavepoint validate ${path}`);
    else if (found.has(name)) {
      throw new WorkflowError(
        "WORKFLOW_DUPLICATE",
        `${found.get(name)!.path} and ${path} both hold a workflow named "${name}". Rename one of them.`,
      );
    } else found.set(name, file);
  }
  return found;
}

function workflowPaths(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
    .map((name) => join(directory, name));
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `${path} cannot be read: ${reasonOf(error)}. Give a file or a directory.`, { cause: error });
  }
}
