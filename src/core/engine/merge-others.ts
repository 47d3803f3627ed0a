import { WorkflowError } from "../model/errors.ts";
import type { RunHead } from "../model/run.ts";
import type { Pending } from "./journal-writer.ts";
import type { Services } from "./services.ts";
import { readEntries } from "./read-run.ts";
import type { RunState } from "./state.ts";
import { transition } from "./transition.ts";

/**
 * Takes what others wrote since `known` into the state, where it can stand beside what happened here: answers and deletions. Gives the new
 * head and the pending entries moved behind it. Throws `STORE_CONFLICT` for anything else: another runner has the run, and what was done
 * here does not count.
 */
export async function mergeOthers(
  services: Services,
  state: RunState,
  known: RunHead,
  takePending: () => readonly Pending[],
): Promise<{ head: RunHead; pending: readonly Pending[] }> {
  const head = await services.store.head(state.id);
  // What hands the run over is recorded behind all that others said.
  if (!head || head.epoch !== known.epoch || state.transferredTo !== undefined || state.finished) throw takenOver(state.id);
  const entries = await readEntries(services, state.id, known.entries, head.entries);
  const pending = takePending();
  for (const entry of entries) {
    if (entry.type !== "answered" && entry.type !== "forgotten") throw takenOver(state.id);
    // The same question was answered here too, and the other answer was first.
    if (entry.type === "answered" && !state.open.has(entry.pause)) throw takenOver(state.id);
    transition(state, entry);
  }
  const shift = entries.length;
  return {
    head,
    pending: pending.map((item) => ({ ...item, checkpoints: item.checkpoints.map((row) => ({ ...row, entries: row.entries + shift })) })),
  };
}

function takenOver(run: string): WorkflowError {
  return new WorkflowError(
    "STORE_CONFLICT",
    `Run ${run} was moved on by another tab or process. Nothing that was done here since was kept; read the run again.`,
    { details: { run } },
  );
}
