import type { ErrorPlace } from "../core/model/errors.ts";
import { placeOf } from "../core/model/source-places.ts";
import type { Workflow } from "../core/model/workflow.ts";

/** A workflow with the file or address it came from. */
export interface Registered {
  readonly workflow: Workflow;
  readonly source?: string;
}

/** Where a path of a registered workflow stands, as precisely as is known. */
export function placeIn({ workflow, source }: Registered, path: string): ErrorPlace {
  return { ...sourceMember(source), ...placeOf(workflow, path) };
}

/** A source as a member of something, absent where it is not known. */
export function sourceMember(source: string | undefined): { readonly source?: string } {
  return source === undefined ? {} : { source };
}
