import { WorkflowError } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { RunHead } from "../model/run.ts";
import type { Pending, Rebased } from "./journal-writer.ts";
import type { JournalParts } from "./journal-parts.ts";
import { foldRun, readEntries } from "./read-run.ts";
import { type FoldedRun, holdsValues } from "../machine/machine.ts";

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
  if (!entries.every(({ type }) => BESIDE.has(type))) throw takenOver(state.id);
  const stored = entries.some(({ type }) => type === "revised") ? await foldRun(services, state.id, head.entries) : undefined;
  const pending = takePending();
  if (stored) return { head, pending: putBehind(run, stored, { head, pending }) };
  for (const entry of entries) {
    // The same question was answered here too, and the other answer was first.
    if (entry.type === "answered" && !state.open.has(entry.pause)) throw takenOver(state.id);
    run.apply(entry);
  }
  const shift = entries.length;
  return {
    head,
    pending: pending.map((item) => ({ ...item, checkpoints: item.checkpoints.map((row) => ({ ...row, entries: row.entries + shift })) })),
  };
}

/** What others may say of a run while it executes here. */
const BESIDE: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(["answered", "forgotten", "revised"]);

/**
 * Behind a revision, what was recorded here of executions is what they came to before it, and may end no wave: so it is folded anew in the order in which
 * it is stored. Anything else would mean something else there.
 */
function putBehind(run: FoldedRun, stored: FoldedRun, { head, pending }: Rebased): readonly Pending[] {
  if (!pending.every(({ entry }) => entry && OF_EXECUTIONS.has(entry.type))) throw takenOver(run.state.id);
  const moved = pending.map((item): Pending => {
    const { text } = item;
    const entry = item.entry!;
    stored.tail += text.length;
    if (holdsValues(entry)) stored.size += text.length;
    return { ...item, checkpoints: foldBehind(stored, entry) };
  });
  stored.base = head.base ?? 0;
  run.become(stored);
  return moved;
}

function foldBehind(stored: FoldedRun, entry: Entry): Pending["checkpoints"] {
  try {
    return stored.apply(entry).checkpoints;
  } catch (cause) {
    throw takenOver(stored.state.id, cause);
  }
}

/** Entries about an execution that ended and asked nothing. */
const OF_EXECUTIONS: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(["completed", "failed", "skipped", "waiting", "attempted"]);

function takenOver(run: string, cause?: unknown): WorkflowError {
  return new WorkflowError(
    "STORE_CONFLICT",
    `Run ${run} was moved on by another tab or process. Nothing that was done here since was kept; read the run again.`,
    { details: { run }, cause },
  );
}
