import { WorkflowError } from "../model/errors.ts";
import type { RunHead } from "../model/run.ts";
import type { Pending, Rebased } from "./journal-writer.ts";
import type { JournalParts } from "./journal-parts.ts";
import { readEntries } from "./read-run.ts";
import type { FoldedRun } from "../machine/machine.ts";

/**
 * Takes what others wrote since `known` into the state, where it can stand beside what happened here: answers, revisions and deletions. Gives the new
 * head and the pending entries moved behind it. Throws `STORE_CONFLICT` for anything else: another runner has the run, and what was done
 * here does not count.
 */
export async function mergeOthers(
  services: JournalParts,
  run: FoldedRun,
  known: RunHead,
  takePending: () => readonly Pending[],
): Promise<Rebased> {
  const { state } = run;
  const head = await services.store.head(state.id);
  // What hands the run over is recorded behind all that others said.
  if (!head || head.epoch !== known.epoch || state.transferredTo !== undefined || state.finished) throw takenOver(state.id);
  const entries = await readEntries(services, state.id, known.entries, head.entries);
  const pending = takePending();
  for (const entry of entries) {
    if (entry.type !== "answered" && entry.type !== "forgotten" && entry.type !== "revised") throw takenOver(state.id);
    // What was recorded here of executions is what they came to before the revision; anything else would mean something else behind it.
    if (entry.type === "revised" && !pending.every(({ text }) => OF_EXECUTIONS.test(text))) throw takenOver(state.id);
    // The same question was answered here too, and the other answer was first.
    if (entry.type === "answered" && !state.open.has(entry.pause)) throw takenOver(state.id);
    run.apply(entry);
  }
  // Behind a revision the executions end no wave: the supersteps that were counted here since are not those of the journal.
  if (entries.some(({ type }) => type === "revised") && pending.some(({ checkpoints }) => checkpoints.length > 0)) {
    return { head, pending: pending.map((item) => ({ ...item, checkpoints: [] })), outdated: takenOver(state.id) };
  }
  const shift = entries.length;
  return {
    head,
    pending: pending.map((item) => ({ ...item, checkpoints: item.checkpoints.map((row) => ({ ...row, entries: row.entries + shift })) })),
  };
}

/** The beginning of an entry about an execution that ended and asked nothing. */
const OF_EXECUTIONS = /^\{"type":"(completed|failed|skipped|waiting|attempted)"/;

function takenOver(run: string): WorkflowError {
  return new WorkflowError(
    "STORE_CONFLICT",
    `Run ${run} was moved on by another tab or process. Nothing that was done here since was kept; read the run again.`,
    { details: { run } },
  );
}
