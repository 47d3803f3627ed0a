import { type Problem, WorkflowError } from "../../model/errors.ts";
import { placeOf } from "../../model/source-places.ts";
import type { Workflow } from "../../model/workflow.ts";

/** A problem as an error that points into the text the workflow came from. */
export function problemError(workflow: Workflow, problem: Problem): WorkflowError {
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
