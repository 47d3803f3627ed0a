/** Names of the block types whose input `workflow` names another workflow, and whose input `inputs` is what that one is given. */
export const CALLING_TYPES: ReadonlySet<string> = new Set(["ExecuteWorkflow", "Workflow"]);
