import { readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rememberFailures } from "../../core/model/load-failure.ts";
import { WorkflowError, type BlockType, type Problem, type Workflow } from "../../index.ts";
import { createRegistry } from "../../registry/index.ts";
import { listCalls } from "../../registry/check-calls.ts";
import { loadDirectories } from "../index.ts";
import { isWorkflowFile } from "../list-workflow-files.ts";
import { withBuiltin } from "./block-modules.ts";
import { noteFailures } from "./problem-lines.ts";
import { plainLine } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";
import { findBroken, readWorkflowFile, readWorkflowText, reasonOf, type WorkflowFile } from "./workflow-file.ts";

/** What files with workflows are read with. */
export interface Reading {
  /** Block types in addition to the built-in ones. */
  readonly blocks: readonly BlockType[];
  readonly terminal: Terminal;
}

/**
 * Returns the workflows that a workflow may call, directly or not: those given with `--workflows`, and those of its own directory that it names. If a name is
 * known only when its block runs, every workflow of the directory counts. Throws `WORKFLOW_DUPLICATE`.
 */
export function findCalled(
  path: string,
  workflow: Workflow,
  { given, blocks, terminal }: Reading & { readonly given: readonly Workflow[] },
): readonly Workflow[] {
  const loaded = new Map([workflow, ...given].map((one) => [one.name, one]));
  const missing = new Set<string>();
  let nearby: Directory | undefined;
  for (const caller of loaded.values()) {
    for (const { workflow: name } of listCalls(caller)) {
      if (name !== undefined && loaded.has(name)) continue;
      nearby ??= readDirectory(dirname(path), { blocks, except: path });
      const found = name === undefined ? nearby.workflows.keys() : nearby.workflows.has(name) ? [name] : [];
      // Entries that are added during the iteration are visited too: called workflows call others.
      for (const called of found) if (!loaded.has(called)) loaded.set(called, onlyWorkflow(nearby, called));
      if (name !== undefined && !loaded.has(name)) missing.add(name);
    }
  }
  if (nearby && missing.size > 0) {
    const { broken } = nearby;
    rememberFailures(workflow, (name) => findBroken(broken, name));
    const unknown = [...missing].filter((name) => findBroken(broken, name) === undefined);
    const names = unknown.map((name) => `"${plainLine(name)}"`).join(", ");
    if (names !== "") note(terminal, `No workflow ${names} in ${dirname(path)}, which a block calls. Name its place with --workflows.`);
    noteFailures(
      broken.map(({ failed }) => failed!),
      terminal,
    );
  }
  return [...loaded.values()].filter((one) => one !== workflow && !given.includes(one));
}

/** Returns a workflow and those that it calls by name, directly or not: a missing grant is better reported before the start. */
export function reachable(workflow: Workflow, workflows: readonly Workflow[]): ReadonlySet<Workflow> {
  const byName = new Map(workflows.map((one) => [one.name, one]));
  const found = new Set([workflow]);
  for (const caller of found) {
    for (const { workflow: name } of listCalls(caller)) {
      const called = name === undefined ? undefined : byName.get(name);
      // A set may grow while it is iterated: added members are visited too.
      if (called) found.add(called);
    }
  }
  return found;
}

/**
 * Reads the workflows named with `--workflows`: files, and directories with their folders, whose broken files are left out and named. Throws
 * `COMMAND_INVALID` for a path that cannot be read, the first problem of a file that is named itself, and `WORKFLOW_DUPLICATE`.
 */
export async function readGiven(paths: readonly string[], reading: Reading): Promise<readonly Workflow[]> {
  const workflows: Workflow[] = [];
  for (const path of paths)
    workflows.push(...(isDirectory(path) ? await readBelow(path, reading) : [validWorkflow(await readWorkflowFile(path, reading.blocks))]));
  return workflows;
}

async function readBelow(directory: string, { blocks, terminal }: Reading): Promise<readonly Workflow[]> {
  const registry = createRegistry({ blocks: withBuiltin(blocks), reducers: {} });
  const { failed } = await loadDirectories(registry, [directory], { onDuplicate: "error", signal: terminal.signal });
  const duplicate = failed.flatMap(({ problems }) => problems).find(({ code }) => code === "WORKFLOW_DUPLICATE");
  if (duplicate) throw problemError(duplicate);
  noteFailures(failed, terminal);
  return registry.workflows();
}

/** Reads the workflows of a directory that were not named. Skips broken ones and those with a name that occurs twice. */
export function readAround(path: string, blocks: readonly BlockType[]): readonly Workflow[] {
  return [...readDirectory(path, { blocks }).workflows.values()].flatMap(
    ([file, ...others]) => (others.length === 0 && file?.workflow) || [],
  );
}

interface Directory {
  /** Valid files by the name of their workflow. */
  readonly workflows: ReadonlyMap<string, readonly WorkflowFile[]>;
  readonly broken: readonly WorkflowFile[];
}

function readDirectory(
  directory: string,
  { blocks, except }: { readonly blocks: readonly BlockType[]; readonly except?: string },
): Directory {
  const workflows = new Map<string, WorkflowFile[]>();
  const broken: WorkflowFile[] = [];
  for (const path of workflowPaths(directory)) {
    if (except !== undefined && resolve(path) === resolve(except)) continue;
    const file = readWorkflowText(path, blocks);
    if (!file.workflow) broken.push(file);
    else workflows.set(file.workflow.name, [...(workflows.get(file.workflow.name) ?? []), file]);
  }
  return { workflows, broken };
}

function onlyWorkflow({ workflows }: Directory, name: string): Workflow {
  const [file, other] = workflows.get(name)!;
  if (!other) return file!.workflow!;
  throw new WorkflowError(
    "WORKFLOW_DUPLICATE",
    `${file!.path} and ${other.path} both hold a workflow named "${name}". Rename one of them.`,
  );
}

function validWorkflow({ path, workflow, problems }: WorkflowFile): Workflow {
  if (workflow) return workflow;
  throw problemError({ ...problems.find(({ severity }) => severity === "error")!, source: path });
}

function problemError(problem: Problem): WorkflowError {
  const { severity: _, code, message, details, suggestion: __, ...place } = problem;
  return new WorkflowError(code, message, { place, ...(details ? { details } : {}) });
}

function workflowPaths(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && isWorkflowFile(entry.name))
    .map(({ name }) => join(directory, name))
    .toSorted();
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `${path} cannot be read: ${reasonOf(error)}. Give a file or a directory.`, { cause: error });
  }
}
