import type { Names } from "../../expression/normalize-reference.ts";
import { type Problem, errorData, isWorkflowError, WorkflowError } from "../../model/errors.ts";
import type { Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import { checkBlockInputs } from "./check-block-inputs.ts";
import { checkBlocks, checkEach } from "./check-blocks.ts";
import { checkCaches, checkCompensations } from "./check-effects.ts";
import { checkChannels } from "./check-channels.ts";
import { checkGraph } from "./check-graph.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { checkOutcomes } from "./check-outcomes.ts";
import { checkOrder, checkWantedTexts } from "./check-references.ts";
import { checkSecrets } from "./check-secrets.ts";
import { WORKFLOW_SCHEMA } from "./definition-schema.ts";
import { problemError } from "../../model/source-places.ts";
import { listProblems, type ProblemList } from "./problem-list.ts";
import { readTexts } from "./read-texts.ts";
import type { CheckContext, Rule } from "./rule.ts";
import { checkShape } from "./shape.ts";

interface CheckOptions extends CheckContext {
  /** Rules beside those for errors. Default: none. */
  readonly advice?: readonly Rule[];
}

/** What every definition must fulfil beside its declarations, its graph and the grammar of its texts. */
const RULES: readonly Rule[] = [
  checkBlocks,
  checkCaches,
  checkCompensations,
  checkEach,
  checkChannels,
  checkOrder,
  checkSecrets,
  checkWantedTexts,
  checkOutcomes,
];

/**
 * Everything that is wrong with a definition, at most a hundred errors, and as many warnings where `advice` is given; without an error it can run.
 * `path` tells where, `column` the position inside that text. What is wrong in one place does not hide what is wrong in another. Time
 * grows with the size of the definition and no faster.
 */
export function checkDefinition(workflow: Workflow, options: CheckOptions = {}): readonly Problem[] {
  const list = listProblems();
  const shaped = checkShape(WORKFLOW_SCHEMA, workflow, list);
  if (!list.isFull) checkMeaning(shaped.value as Workflow, list.placed(shaped.place), options);
  return list.problems;
}

/**
 * Adds to the list what is wrong with a definition whose shape is right. Where the list has no place for problems of a whole section, the
 * section is not what was written: then any name may have stood in it.
 */
export function checkMeaning(workflow: Workflow, problems: ProblemList, { advice = [], ...context }: CheckOptions = {}): void {
  checkDeclarations(workflow, problems);
  const graph = checkGraph(workflow.blocks, problems);
  const texts = readTexts(workflow, namesOf(workflow, problems), problems);
  for (const rule of [...RULES, ...advice]) rule({ ...context, workflow, graph, texts, problems });
}

function namesOf(workflow: Workflow, problems: ProblemList): Names {
  const isWritten = (section: string): boolean => problems.place(section) !== undefined;
  const inputs = new Map(Object.entries(workflow.inputs ?? {}));
  const blocks = new Set(workflow.blocks.map((block) => block.id));
  const { channels } = workflow;
  return {
    ...(channels ? { channels: isWritten("channels") ? new Set(Object.keys(channels)) : allBut(new Set()) } : {}),
    inputs: isWritten("inputs") ? inputs : allBut(blocks),
    blocks: isWritten("blocks") ? blocks : allBut(inputs),
  };
}

function allBut(names: Names["inputs"]): Names["inputs"] {
  return { has: (name) => !names.has(name), keys: () => [] };
}

/** Throws the first problem of the secrets in a definition that was checked elsewhere, where other block types may be known. */
export function assertSecretPlaces(workflow: Workflow, blockTypes: ReadonlyMap<string, BlockType>): void {
  const problems = listProblems();
  checkSecrets({ workflow, blockTypes, problems, texts: readTexts(workflow, namesOf(workflow, problems), problems) });
  const [first] = problems.problems;
  if (first) throw problemError(workflow, first);
}

/** Checks everything about a workflow that can be checked before it runs, patterns included. Throws the first problem. */
export async function assertDefinition(workflow: Workflow, options: Required<CheckContext>): Promise<void> {
  const problem = await findProblem(workflow, options);
  if (problem) throw problemError(workflow, problem);
}

async function findProblem(workflow: Workflow, options: Required<CheckContext>): Promise<Problem | undefined> {
  try {
    return (
      checkDefinition(workflow, options).find(({ severity }) => severity === "error") ??
      (await checkBlockInputs(workflow, options.blockTypes)).find(({ severity }) => severity === "error")
    );
  } catch (error) {
    if (isWorkflowError(error)) throw error;
    // One made by a program may hold itself, or have getters that throw.
    const reason = error instanceof RangeError ? "it holds itself, or is nested too deeply" : errorData(error, "SCHEMA_INVALID").message;
    throw new WorkflowError("SCHEMA_INVALID", `Workflow "${workflow.name}" cannot be read: ${reason}. Give plain data.`, { cause: error });
  }
}
