import type { Names } from "../../expression/normalize-reference.ts";
import { type Problem, errorData, isWorkflowError, WorkflowError } from "../../model/errors.ts";
import type { Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { Grants } from "../../ports/grants.ts";
import { checkBlockTypes, checkGrants, checkWantedTexts } from "./check-block-types.ts";
import { checkControls } from "./walk-texts.ts";
import { checkFileOutputs } from "./check-file-outputs.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { checkEach, checkQuestions, checkRetry } from "./check-block-keys.ts";
import { checkGraph } from "./check-graph.ts";
import { checkSecrets } from "./check-secrets.ts";
import { checkTexts } from "./check-texts.ts";
import { declaredOutputs } from "./check-outcomes.ts";
import { WORKFLOW_SCHEMA } from "./definition-schema.ts";
import { type PlacedProblems, listProblems, placedProblems } from "./problem-list.ts";
import { checkShape } from "./shape.ts";
import { placeOf } from "../../model/source-places.ts";
import { checkBlockInputs } from "./check-block-inputs.ts";

interface CheckDefinitionOptions {
  /** The block types that will run it, by name. Default: types are not looked at. */
  readonly blockTypes?: ReadonlyMap<string, BlockType>;
  /** What the host grants. Default: grants are not looked at. */
  readonly grants?: Grants;
  /** A loaded workflow by its name. Default: what called workflows declare is not looked at. */
  readonly findWorkflow?: (name: string) => Workflow | undefined;
}

/**
 * Everything that is wrong with a definition, at most a hundred errors and a hundred warnings; an empty list means that it can run.
 * `path` tells where, `column` the position inside that text. What is wrong in one place does not hide what is wrong in another. Time
 * grows with the size of the definition and no faster.
 */
export function checkDefinition(workflow: Workflow, options: CheckDefinitionOptions = {}): readonly Problem[] {
  const list = listProblems();
  const shaped = checkShape(WORKFLOW_SCHEMA, workflow, list);
  if (!list.isFull) checkMeaning(shaped.value as Workflow, placedProblems(list, shaped.place), options);
  return list.problems;
}

/**
 * Adds to the list what is wrong with a definition whose shape is right. Where the list has no place for problems of a whole section, the
 * section is not what was written: then any name may have stood in it.
 */
export function checkMeaning(workflow: Workflow, problems: PlacedProblems, options: CheckDefinitionOptions = {}): void {
  checkDeclarations(workflow, problems);
  const graph = checkGraph(workflow.blocks, problems);
  checkEach(workflow, problems);
  checkRetry(workflow, problems);
  checkQuestions(workflow, { blockTypes: options.blockTypes, problems });
  const { blockTypes, grants } = options;
  const names = namesOf(workflow, problems);
  checkTexts(workflow, { graph, names, blockTypes, outputsOf: declaredOutputs(workflow, blockTypes), problems });
  checkSecrets(workflow, { ...options, problems });
  if (blockTypes !== undefined) {
    checkBlockTypes(workflow, blockTypes, problems);
    checkWantedTexts(workflow, { blockTypes, names, problems });
  }
  if (blockTypes !== undefined && grants !== undefined) checkGrants(workflow, { blockTypes, grants, problems });
  checkFileOutputs(workflow, problems);
  checkControls(workflow, problems);
}

function namesOf(workflow: Workflow, { isPlaced }: PlacedProblems): Names {
  const inputs = new Map(Object.entries(workflow.inputs ?? {}));
  const blocks = new Set(workflow.blocks.map((block) => block.id));
  return {
    inputs: isPlaced("inputs") ? inputs : allBut(blocks),
    blocks: isPlaced("blocks") ? blocks : allBut(inputs),
  };
}

function allBut(names: Names["inputs"]): Names["inputs"] {
  return { has: (name) => !names.has(name), keys: () => [] };
}

/** Checks everything about a workflow that can be checked before it runs, patterns included. Throws the first problem. */
export async function assertDefinition(workflow: Workflow, options: Required<CheckDefinitionOptions>): Promise<void> {
  const problem = await findProblem(workflow, options);
  if (problem) throw problemError(workflow, problem);
}

async function findProblem(workflow: Workflow, options: Required<CheckDefinitionOptions>): Promise<Problem | undefined> {
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

/** A problem as an error that points into the text the workflow came from. */
function problemError(workflow: Workflow, problem: Problem): WorkflowError {
  const place = problem.path === undefined ? {} : { path: problem.path, ...placeOf(workflow, problem.path) };
  return new WorkflowError(problem.code, `Workflow "${workflow.name}": ${problem.message}`, {
    place: {
      ...place,
      ...(problem.line === undefined ? {} : { line: problem.line }),
      ...(problem.column === undefined ? {} : { column: problem.column }),
    },
    ...(problem.details ? { details: problem.details } : {}),
  });
}
