export { checkWorkflow, type CheckedWorkflow, type LoadOptions } from "./check-workflow.ts";
export { loadWorkflow } from "./load-workflow.ts";
export { workflowSchema } from "./workflow-schema.ts";
