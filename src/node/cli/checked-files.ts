import { statSync } from "node:fs";
import { checkBlockInputs } from "../../core/definition/definition.ts";
import { placeOf } from "../../core/model/source-places.ts";
import { WorkflowError, type BlockType, type Problem, type Workflow } from "../../index.ts";
import { checkCalls } from "../../registry/check-calls.ts";
import { createRegistry } from "../../registry/index.ts";
import type { Registered } from "../../registry/registered.ts";
import { loadDirectories } from "../index.ts";
import { isCaseFile } from "../list-workflow-files.ts";
import { withBuiltin } from "./block-modules.ts";
import { brokenFile, findBroken, readWorkflowFile, type WorkflowFile } from "./workflow-file.ts";

/** A file or a directory with everything that is wrong with it. */
export interface CheckedFile {
  readonly path: string;
  readonly valid: boolean;
  readonly problems: readonly Problem[];
}

/**
 * Checks files, and all workflows of directories and their folders. Checks calls between workflows only if a directory is among them: a single file may call
 * workflows elsewhere. Leaves out files of cases, as in directories, so that `workflows/*.yaml` works. Throws `COMMAND_INVALID` for a file that cannot be
 * read, and if only files of cases are named.
 */
export async function checkFiles(
  named: readonly string[],
  { blocks, signal }: { readonly blocks: readonly BlockType[]; readonly signal: AbortSignal },
): Promise<readonly CheckedFile[]> {
  const blockTypes = withBuiltin(blocks);
  const byType = new Map(blockTypes.map((block) => [block.type, block]));
  const files: WorkflowFile[] = [];
  const places = named.filter((place) => !isCaseFile(place));
  if (places.length === 0) throw new WorkflowError("COMMAND_INVALID", "These files hold cases. Run them: wavepoint test FILE.");
  for (const place of places)
    files.push(...(isDirectory(place) ? await readDirectory(place, { blockTypes, signal }) : [await readWorkflowFile(place, blocks)]));
  const calls = places.some(isDirectory) ? checkCalls(firstOfEachName(files), (name) => findBroken(files, name)) : [];
  return Promise.all(
    files.map(async ({ path, workflow, problems }): Promise<CheckedFile> => {
      const more = [...(workflow ? await inputProblems(workflow, byType) : []), ...calls.filter(({ source }) => source === path)];
      return {
        path,
        valid: workflow !== undefined && !more.some(({ severity }) => severity === "error"),
        problems: [...problems, ...more],
      };
    }),
  );
}

/** Reads one directory, in which each workflow needs its own name. */
async function readDirectory(
  directory: string,
  { blockTypes, signal }: { readonly blockTypes: readonly BlockType[]; readonly signal: AbortSignal },
): Promise<readonly WorkflowFile[]> {
  const registry = createRegistry({ blocks: blockTypes, reducers: {} });
  const { loaded, failed } = await loadDirectories(registry, [directory], { onDuplicate: "error", signal });
  return [
    ...loaded.map(({ name, source, warnings }) => ({ path: source!, problems: warnings, workflow: registry.get(name)! })),
    ...failed.map(brokenFile),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function firstOfEachName(files: readonly WorkflowFile[]): ReadonlyMap<string, Registered> {
  const byName = new Map<string, Registered>();
  for (const { path, workflow } of files) {
    if (workflow && !byName.has(workflow.name)) byName.set(workflow.name, { workflow, source: path });
  }
  return byName;
}

async function inputProblems(workflow: Workflow, blockTypes: ReadonlyMap<string, BlockType>): Promise<readonly Problem[]> {
  const found = await checkBlockInputs(workflow, blockTypes);
  return found.map((problem) => ({ ...problem, ...placeOf(workflow, problem.path!) }));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
