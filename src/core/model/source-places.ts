import type { ErrorPlace } from "./errors.ts";
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
