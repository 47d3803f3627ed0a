import { type ErrorData, type Problem, WorkflowError, withoutPlace } from "./errors.ts";
import type { Value } from "./value.ts";
import type { Workflow } from "./workflow.ts";

/** A text that gave no workflow. */
export interface FailedWorkflow {
  /** The name that the text gives its workflow, or that of the file without its ending, as far as it can be told. */
  readonly name?: string;
  readonly source?: string;
  /** At least one error; warnings of the same text stand among them. */
  readonly problems: readonly Problem[];
}

type FindFailure = (name: string) => FailedWorkflow | undefined;

const finders = new WeakMap<Workflow, FindFailure>();

/** Keeps, for a workflow that was loaded beside others, how to find those that did not load: it may call them. */
export function rememberFailures(workflow: Workflow, find: FindFailure): void {
  finders.set(workflow, find);
}

/** What did not load beside one of these workflows under this name. */
export function failureBeside(workflows: Iterable<Workflow>, name: string): FailedWorkflow | undefined {
  for (const workflow of workflows) {
    const failed = finders.get(workflow)?.(name);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

/** The error for a workflow that is asked for by its name, and did not load. */
export function notLoaded(name: string, failed: FailedWorkflow): WorkflowError {
  const { reason, details } = describeFailure(failed);
  return new WorkflowError("WORKFLOW_NOT_FOUND", `The workflow "${name}" did not load. ${reason}`, {
    details: { workflow: name, ...details },
  });
}

/** Why a workflow did not load: its first error, with its place, to stand behind "did not load"; and as plain data. */
export function describeFailure({ source, problems }: FailedWorkflow): {
  readonly reason: string;
  readonly details: { readonly failure: Value };
} {
  const { severity: _, suggestion: __, ...error } = problems.find(({ severity }) => severity === "error")!;
  const failure: ErrorData = { ...error, ...(source === undefined ? {} : { source }) };
  const place = [source, error.line, error.column].filter((part) => part !== undefined).join(":");
  return { reason: `${place === "" ? "" : `${place}: `}${withoutPlace(error)}`, details: { failure: failure as unknown as Value } };
}
