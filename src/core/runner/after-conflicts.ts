import { isConflict, WorkflowError } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { Host } from "../ports/host.ts";
import type { Session } from "../journal/journal.ts";
import type { HeldRun } from "./held-run.ts";
import { after } from "./waiting.ts";

/** How often a write is tried when other writers keep coming first. */
const MAX_TRIES = 60;
/** The first tries follow each other without a wait: a single other writer is seldom first more often. */
const QUICK_TRIES = 4;
/** Longest wait before another try. */
const MAX_WAIT_MS = 250;

/**
 * Writes to a run. Where another writer was first, reads the run again by `lookAgain` and tries once more. After a few tries it waits for random and
 * growing times, so that two writers do not block each other. Throws `STORE_CONFLICT` where others were first for about ten seconds, and other errors
 * of the store; by then memory no longer has what was not stored.
 */
export async function afterConflicts<T>(
  host: Pick<Host, "sleep" | "random">,
  write: () => Promise<T>,
  lookAgain: () => Promise<void> = async () => {},
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || tried >= MAX_TRIES) {
        // If the store cannot be read either, report the first error.
        await lookAgain().catch(() => {});
        throw isConflict(error) ? outrun(error) : error;
      }
      if (tried >= QUICK_TRIES) await host.sleep(host.random() * Math.min(MAX_WAIT_MS, 2 ** tried));
      await lookAgain();
    }
  }
}

/**
 * Reads a run in memory, and may write to it, by {@link afterConflicts}. Its result or error holds for the stored run: memory may be ahead of the store,
 * and what another call has just recorded may never get there.
 */
export function concludeStored<T>(host: Pick<Host, "sleep" | "random">, run: HeldRun, conclude: () => Promise<T>): Promise<T> {
  const write = async (): Promise<T> => {
    try {
      return await conclude();
    } finally {
      if (!run.session.isStored) await run.session.flushed();
    }
  };
  // Each try begins with the newest state; memory shows what was not stored only where a write failed.
  return afterConflicts(host, write, async () => (run.session.broken ? run.catchUp() : undefined));
}

/** Records what the newest state of a run asks for, if anything, and resolves once that is stored. Throws what {@link concludeStored} and `decide` throw. */
export function recordStored(
  host: Pick<Host, "sleep" | "random">,
  run: HeldRun,
  decide: (session: Session) => Entry | undefined | Promise<Entry | undefined>,
): Promise<void> {
  return concludeStored(host, run, async () => {
    await run.catchUp();
    run.assertHere();
    // Nothing may come between what the state says and the record.
    await after(decide(run.session), (entry) => entry && run.session.record(entry));
    await run.session.flushed();
  });
}

function outrun(cause: WorkflowError): WorkflowError {
  return new WorkflowError(
    "STORE_CONFLICT",
    "Other tabs or processes wrote to the run just before this one, each time. Nothing was recorded; try again later.",
    { details: cause.details, cause },
  );
}
