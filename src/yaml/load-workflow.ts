import { WorkflowError } from "../core/model/errors.ts";
import type { Workflow } from "../core/model/workflow.ts";
import type { LoadOptions } from "./check-workflow.ts";
import { checkWorkflow } from "./check-workflow.ts";

/**
 * Reads a workflow from YAML. Throws the first error with its code, path, line and column; warnings do not keep a workflow from
 * loading, {@link checkWorkflow} gives them.
 */
export function loadWorkflow(text: string, options: LoadOptions = {}): Workflow {
  const { workflow, problems } = checkWorkflow(text, options);
  if (workflow !== undefined) return workflow;
  const { severity: _, code, message, details, suggestion, ...place } = problems.find(({ severity }) => severity === "error")!;
  throw new WorkflowError(code, message, { place, details: { ...details, ...(suggestion === undefined ? {} : { suggestion }) } });
}
