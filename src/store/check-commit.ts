import { WorkflowError } from "../core/model/errors.ts";
import { assertStoreKey } from "../core/model/ids.ts";
import type { RunHead } from "../core/model/run.ts";
import type { Commit } from "../core/ports/store.ts";

/** Throws `STORE_KEY_INVALID` or `STORE_FAILED` for a commit that contradicts itself, whatever is stored. */
export function checkCommit(commit: Commit): void {
  const { run, head, expected } = commit;
  assertStoreKey(run, "The run id");
  const contradiction =
    head.id !== run
      ? `the head is of run ${head.id}`
      : head.revision !== (expected?.revision ?? 0) + 1
        ? `revision ${head.revision} does not follow ${expected?.revision ?? "nothing"}`
        : head.epoch < (expected?.epoch ?? 0)
          ? `epoch ${head.epoch} is older than ${String(expected?.epoch)}`
          : head.entries < commit.entries.length
            ? `a journal of ${head.entries} entries cannot end with ${commit.entries.length} new ones`
            : commit.base && (commit.base.at < 1 || commit.base.at > head.entries || head.base !== commit.base.at)
              ? `a base at ${commit.base.at} does not belong to a head with ${head.entries} entries and base ${String(head.base)}`
              : commit.checkpoints?.some((row) => row.run !== run)
                ? "a checkpoint row belongs to another run"
                : undefined;
  if (contradiction === undefined) return;
  throw new WorkflowError("STORE_FAILED", `The commit to run ${run} contradicts itself: ${contradiction}. Correct the code that made it.`);
}

/** Throws `STORE_CONFLICT` where the stored head is not the one the writer saw, and `STORE_FAILED` where the entries leave a gap. */
export function checkExpected(commit: Commit, stored: Pick<RunHead, "revision" | "epoch" | "entries"> | undefined): void {
  const { expected } = commit;
  if (stored?.revision !== expected?.revision || stored?.epoch !== expected?.epoch) throw conflict(commit.run);
  const from = commit.head.entries - commit.entries.length;
  const known = stored?.entries ?? 0;
  if (from === known || (commit.base && from > known && from <= commit.base.at)) return;
  throw new WorkflowError(
    "STORE_FAILED",
    `The commit to run ${commit.run} starts at entry ${from}, but the journal has ${known}. Correct the code that made it.`,
  );
}

/** The error of a writer that was not first. */
export function conflict(run: string): WorkflowError {
  return new WorkflowError("STORE_CONFLICT", `Another writer changed run ${run} first. Read the run again and decide anew.`, {
    details: { run },
  });
}

/** The error of every call after `close`. */
export function storeClosed(): WorkflowError {
  return new WorkflowError("STORE_CLOSED", "The store is closed. Open it again before using it.");
}
