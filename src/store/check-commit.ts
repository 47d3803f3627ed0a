import { WorkflowError } from "../core/model/errors.ts";
import { assertStoreKey } from "../core/model/ids.ts";
import type { RunHead } from "../core/model/run.ts";
import type { Commit } from "../core/ports/store.ts";

/**
 * Throws `STORE_KEY_INVALID` or `STORE_FAILED` for a commit that contradicts itself, without reading the store. `isKnown`: the run was written to before, so its
 * id need not be looked at again.
 */
export function checkCommit(commit: Commit, isKnown = false): void {
  const { run, head, expected, base, dropNotes } = commit;
  if (!isKnown) assertStoreKey(run, "The run id");
  for (const key of dropNotes ?? []) assertStoreKey(key, "The key of the note");
  const contradiction =
    head.id !== run
      ? `the head is of run ${head.id}`
      : head.revision !== (expected?.revision ?? 0) + 1
        ? `revision ${head.revision} does not follow ${expected?.revision ?? "nothing"}`
        : head.epoch < (expected?.epoch ?? 0)
          ? `epoch ${head.epoch} is older than ${String(expected?.epoch)}`
          : head.entries < commit.entries.length
            ? `a journal of ${head.entries} entries cannot end with ${commit.entries.length} new ones`
            : base && !(Number.isInteger(base.at) && base.at > 0 && base.at <= head.entries && base.at === head.base)
              ? `a base at ${base.at} does not belong to a head with ${head.entries} entries and base ${String(head.base)}`
              : commit.checkpoints?.some((row) => row.run !== run)
                ? "a checkpoint row belongs to another run"
                : undefined;
  if (contradiction === undefined) return;
  throw new WorkflowError("STORE_FAILED", `The commit to run ${run} contradicts itself: ${contradiction}. Correct the code that made it.`);
}

/** Throws `STORE_CONFLICT` if the stored head is not the one that the writer saw, and `STORE_FAILED` if the entries leave a gap or the base moves back. */
export function checkExpected(commit: Commit, stored: Pick<RunHead, "revision" | "epoch" | "entries" | "base"> | undefined): void {
  const { run, expected, head, entries, base } = commit;
  if (stored?.revision !== expected?.revision || stored?.epoch !== expected?.epoch) throw conflict(run);
  const from = head.entries - entries.length;
  const known = stored?.entries ?? 0;
  const before = stored?.base;
  const wrong =
    from !== known && !(base && from > known && from <= base.at)
      ? `starts at entry ${from}, but the journal has ${known}`
      : base
        ? before !== undefined && before > base.at && `puts a base at ${base.at} behind the one at ${before}`
        : head.base !== before && `speaks of a base at ${String(head.base)}, but the journal has it at ${String(before)}`;
  if (wrong) throw new WorkflowError("STORE_FAILED", `The commit to run ${run} ${wrong}. Correct the code that made it.`);
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
