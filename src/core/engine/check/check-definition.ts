import type { Names } from "../../expression/normalize.ts";
import type { Problem } from "../../model/errors.ts";
import type { Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { Grants } from "../../ports/grants.ts";
import { checkBlockTypes } from "./check-block-types.ts";
import { checkControls } from "./check-controls.ts";
import { checkFileOutputs } from "./check-file-outputs.ts";
import { checkGrants } from "./check-grants.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { checkEach } from "./check-each.ts";
import { checkGraph } from "./check-graph.ts";
import { checkQuestions } from "./check-questions.ts";
import { checkRetry } from "./check-retry.ts";
import { checkSecrets } from "./check-secrets.ts";
import { checkTexts } from "./check-texts.ts";
import { declaredOutputs } from "./declared-outputs.ts";
import { definitionSchema } from "./definition-schema.ts";
import type { PlacedProblems } from "./problem-list.ts";
import { listProblems, placedProblems } from "./problem-list.ts";
import { checkShape } from "./shape.ts";

const SCHEMA = definitionSchema({
  dependsOn: "dependsOn",
  continueOnError: ["continueOnError"],
  maxDepth: "maxDepth",
  maxIterations: "maxIterations",
  retry: "retry",
  timeoutMs: "timeoutMs",
  forEach: "forEach",
  maxParallel: "maxParallel",
  maxAttempts: "maxAttempts",
  delayMs: "delayMs",
  maxDelayMs: "maxDelayMs",
  answerTimeoutMs: "answerTimeoutMs",
  onTimeout: "onTimeout",
  onRevise: "onRevise",
  types: ["string", "integer", "number", "boolean", "array", "object"],
});

export interface CheckDefinitionOptions {
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
  const shaped = checkShape(SCHEMA, workflow, list);
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
  checkTexts(workflow, { graph, names: namesOf(workflow, problems), outputsOf: declaredOutputs(workflow, blockTypes), problems });
  checkSecrets(workflow, { ...options, problems });
  if (blockTypes !== undefined) checkBlockTypes(workflow, blockTypes, problems);
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
