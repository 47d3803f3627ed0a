import { WorkflowError } from "../core/model/errors.ts";
import type { Workflow } from "../core/model/workflow.ts";
import { checkText, type LoadOptions } from "./check-text.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/**
 * Reads a workflow from YAML. Throws the first error with its code, path, line and column; warnings do not keep a workflow from
 * loading, `checkWorkflow` gives them. What only the executor can know, such as block types that are not given here, is looked at when that loads the workflow.
 */
export function loadWorkflow(text: string, options: LoadOptions = {}): Workflow {
  assertOptions("loadWorkflow", options, { source: true, blocks: true, reducers: true, grants: true });
  const { workflow, problems } = checkText(text, options);
  if (workflow !== undefined) return workflow;
  const { severity: _, code, message, details, suggestion, ...place } = problems.find(({ severity }) => severity === "error")!;
  throw new WorkflowError(code, message, { place, details: { ...details, ...(suggestion === undefined ? {} : { suggestion }) } });
}
