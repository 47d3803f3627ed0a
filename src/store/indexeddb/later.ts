/** What a page loads when it first lists, reads or begins to write to a run: from then on it works without a network. */
export { putBlob, readBlob, sweepBlobs } from "./blobs.ts";
export { deleteRun } from "./delete-run.ts";
export { listRows, listRuns } from "./lists.ts";
export { listNotes, putNote } from "./notes.ts";
export { openFailure } from "./open-failure.ts";
export { joinPeers } from "./peers.ts";
export { readEntries } from "./read-entries.ts";
export { settleReset } from "./reset.ts";
export { takeOver } from "./take-over.ts";
export { measureUsage } from "./usage.ts";
