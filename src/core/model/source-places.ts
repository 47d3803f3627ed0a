import { type ErrorPlace, type Problem, WorkflowError } from "./errors.ts";
import type { Workflow } from "./workflow.ts";

type Locate = (path: string) => ErrorPlace;

const places = new WeakMap<Workflow, Locate>();

/** Keeps, for a workflow that came from a text, how to find a path of the definition in that text. */
export function rememberPlaces(workflow: Workflow, locate: Locate): void {
  places.set(workflow, locate);
}

/** Where a path of a definition, for example `blocks[2].inputs.message`, stands: with line and column if the workflow came from a text. */
export function placeOf(workflow: Workflow, path: string): ErrorPlace {
  return places.get(workflow)?.(path) ?? { path };
}

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
