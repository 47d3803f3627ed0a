import { assertOptions } from "../../core/model/assert-options.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { Workflow } from "../../core/model/workflow.ts";

/** What clients may do. `true`: with all workflows; a list of tags: with workflows that have at least one of them; `false`: with none. */
export interface Access {
  /** See workflows, runs, checkpoints and questions. Default: all. */
  readonly read?: boolean | readonly string[];
  /** Start, resume, cancel and fork runs, and delete their checkpoints. Default: all. */
  readonly start?: boolean | readonly string[];
  /** Answer questions and change answers. Default: all. */
  readonly answer?: boolean | readonly string[];
  /** Bring workflows of their own, which may use all that the host grants. Default: false. */
  readonly inline?: boolean;
}

/** What is asked for. */
export type Action = "read" | "start" | "answer";

/** Throws `KEY_UNKNOWN` for a key that there is not. */
export function assertAccess(access: Access): void {
  assertOptions("access", access, { read: true, start: true, answer: true, inline: true });
}

/** Whether an action is allowed with any workflow at all. */
export function allowsAny(access: Access, action: Action): boolean {
  const tags = access[action] ?? true;
  return typeof tags === "boolean" ? tags : tags.length > 0;
}

/** Whether an action is allowed with the runs of a workflow; `workflow` is absent for one that a client brought. */
export function allows(access: Access, action: Action, workflow: Workflow | undefined): boolean {
  const tags = access[action] ?? true;
  if (!workflow) return access.inline === true && tags !== false;
  return typeof tags === "boolean" ? tags : tags.some((tag) => workflow.tags?.includes(tag));
}

/** Marks a workflow that a client brought, in the definition that its runs are kept with: no other run whose workflow the host does not offer is a client's. */
const BROUGHT = "wavepoint:brought-by-a-client";

/** The workflow as it is run for the client that brought it. */
export function asBrought(workflow: Workflow): Workflow {
  return { ...workflow, tags: [...(workflow.tags ?? []), BROUGHT] };
}

/** Whether a client brought the workflow. */
export function isBrought({ tags }: Workflow): boolean {
  return tags?.includes(BROUGHT) === true;
}

/** The refusal of an action with something that the client may see. */
export function notAllowed(action: Action, workflow: string): WorkflowError {
  const what = action === "answer" ? "answer questions of" : action === "start" ? "start or change runs of" : "see";
  return new WorkflowError(
    "CAPABILITY_MISSING",
    `The host of this server does not let clients ${what} "${workflow}". A person can do it elsewhere, or the host can allow it.`,
    { details: { workflow, action } },
  );
}
