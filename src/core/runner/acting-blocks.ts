/**
 * What blocks need that do more than ask and compute: they call workflows, have effects that must not happen twice, leave outputs in files, keep files in their run, store
 * results one by one, share resources, add blocks, and take over what other runs gave.
 */
export { addBlocks, admitAdded } from "./add-blocks.ts";
export { executeCached, keepResult } from "./cached-results.ts";
export { callWorkflow } from "./call-workflow.ts";
export { executeNoted, executeOnce, takeOutcome } from "./effect-once.ts";
export { readFileOutputs } from "./file-outputs.ts";
export { memoize } from "./memoize.ts";
export { closeResources, connect, disconnectAll } from "./resources.ts";
export { accessFiles, settleFiles } from "./step-files.ts";
