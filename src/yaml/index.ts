export type { CheckedWorkflow, LoadOptions } from "./check-text.ts";
export { checkWorkflow, type CheckOptions } from "./check-workflow.ts";
export { loadWorkflow } from "./load-workflow.ts";
export { workflowSchema } from "./workflow-schema.ts";
