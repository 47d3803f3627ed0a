import { errorData, isWorkflowError, WorkflowError, type Problem } from "../../model/errors.ts";
import { placeOf } from "../../model/source-map.ts";
import type { Workflow } from "../../model/workflow.ts";
import { checkBlockInputs } from "./check-block-inputs.ts";
import { checkDefinition, type CheckDefinitionOptions } from "./check-definition.ts";

/** Checks everything about a workflow that can be checked before it runs, patterns included. Throws the first problem. */
export async function assertDefinition(workflow: Workflow, options: Required<CheckDefinitionOptions>): Promise<void> {
  const problem = await findProblem(workflow, options);
  if (problem) throw problemError(workflow, problem);
}

async function findProblem(workflow: Workflow, options: Required<CheckDefinitionOptions>): Promise<Problem | undefined> {
  try {
    return (
      checkDefinition(workflow, options).find(({ severity }) => severity === "error") ??
      (await checkBlockInputs(workflow, options.blockTypes))[0]
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
