import { WorkflowError } from "../model/errors.ts";
import { isDeeperThan } from "../model/json-depth.ts";
import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { Block, Workflow } from "../model/workflow.ts";
import {
  checkDefinition,
  checkShape,
  type CompiledWorkflow,
  hashDefinition,
  listProblems,
  WORKFLOW_SCHEMA,
} from "../definition/definition.ts";
import { addedPart } from "../machine/machine.ts";
import type { Services } from "../run/run.ts";
import { readyWorkflow } from "../runner/runner.ts";
import { entriesBefore, invalidFile, type RunFile } from "./run-file.ts";

/** Characters of the longest definition. */
const MAX_DEFINITION_LENGTH = 4 * MAX_VALUE_LENGTH;

/** The services of an executor over what a file holds in place of its store, to fold runs that are not stored. */
export function stagedServices(services: Services, { definitions, blobs, runs }: RunFile): Services {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const ready = new Map<string, Promise<CompiledWorkflow>>();
  const store = {
    head: async () => undefined,
    notes: async () => [],
    getBlob: async (hash: string) => blobs.get(hash),
    async read(id: string, { from = 0, to = Infinity }: { readonly from?: number; readonly to?: number } = {}) {
      const run = byId.get(id)!;
      const before = entriesBefore(run);
      return run.texts.slice(Math.max(0, from - before), Math.max(0, to - before));
    },
  };
  const definition = (hash: string): Promise<CompiledWorkflow> => {
    const known = ready.get(hash) ?? readDefinition(services, hash, definitions.get(hash));
    ready.set(hash, known);
    return known;
  };
  // Only what reads runs is asked for; it looks at nothing else of a store.
  return Object.create(services, {
    store: { value: store },
    definition: { value: definition },
    loadBlocks: { value: assertBlocks },
    onEvent: { value: undefined },
  }) as Services;
}

/** Of blocks that were added no code is loaded as long as the file is only looked at. Rejects for what is written like no block. */
async function assertBlocks(blocks: readonly Block[]): Promise<void> {
  const list = listProblems();
  checkShape(WORKFLOW_SCHEMA, { name: "added", blocks }, list);
  const [problem] = list.problems;
  if (problem) throw new WorkflowError(problem.code, problem.message);
  await addedPart.load();
}

async function readDefinition({ host, reducers }: Services, hash: string, text: string | undefined): Promise<CompiledWorkflow> {
  if (text === undefined || text.length > MAX_DEFINITION_LENGTH || isDeeperThan(text, MAX_VALUE_DEPTH)) {
    throw invalidFile(`the definition ${hash} is missing or larger than any`);
  }
  const workflow = parseWorkflow(text);
  if ((await hashDefinition(host, workflow)) !== hash) throw invalidFile(`the definition ${hash} has another hash`);
  const problem = checkDefinition(workflow).find(({ severity }) => severity === "error");
  if (problem) throw new WorkflowError(problem.code, problem.message);
  return readyWorkflow(workflow, reducers);
}

function parseWorkflow(text: string): Workflow {
  try {
    return JSON.parse(text) as Workflow;
  } catch (error) {
    throw invalidFile("a definition is no JSON", error);
  }
}
