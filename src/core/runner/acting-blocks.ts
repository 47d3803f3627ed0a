/** What blocks need that do more than ask: they call workflows, have effects that must not happen twice, and leave outputs in files. */
export { callWorkflow } from "./call-workflow.ts";
export { executeNoted, executeOnce, takeOutcome } from "./effect-once.ts";
export { readFileOutputs } from "./file-outputs.ts";
