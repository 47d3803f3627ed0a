/** What a page loads when it first needs any of it, or once it has begun to write: from then on it works without a network. */
export { putBlob, sweepBlobs } from "./blobs.ts";
export { deleteRun } from "./delete-run.ts";
export { listRows, listRuns } from "./lists.ts";
export { listNotes, putNote } from "./notes.ts";
export { prune } from "./prune.ts";
export { settleReset } from "./reset.ts";
export { measureUsage } from "./usage.ts";
