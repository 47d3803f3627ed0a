import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { RunHead } from "../model/run.ts";
import type { Pending } from "./pending.ts";
import type { JournalParts } from "./journal-parts.ts";
import { foldRun, readEntries } from "./read-run.ts";
import { type FoldedRun, holdsValues, isOfExecution } from "../machine/machine.ts";

/** What waits, behind what another writer wrote. */
interface Behind {
  readonly head: RunHead;
  readonly pending: readonly Pending[];
  /** Why the run has to be read again once that is stored: something that was recorded here was left out. */
  readonly outdated?: unknown;
}

/**
 * Takes what others wrote since `known` into the state, where it can stand beside what happened here: answers, revisions, signals, deletions, and that the run is
 * stopped for now or goes on again. Gives the new
 * head and the pending entries moved behind it. Throws `STORE_CONFLICT` for anything else: another runner has the run, and what was done
 * here does not count.
 */
export async function mergeOthers(
  services: JournalParts,
  run: FoldedRun,
  known: RunHead,
  takePending: () => readonly Pending[],
): Promise<Behind> {
  const { state } = run;
  const head = await services.store.head(state.id);
  // What hands the run over is recorded behind all that others said.
  if (!head || head.epoch !== known.epoch || state.transferredTo !== undefined || state.finished) throw takenOver(state.id);
  const entries = await readEntries(services, state.id, known.entries, head.entries);
  if (!entries.every(({ type }) => BESIDE.has(type))) throw takenOver(state.id);
  const stored = needsOrder(run, known, entries) ? await foldStored(services, state.id, head.entries) : undefined;
  const pending = takePending();
  if (stored) return putBehind(run, stored, { head, pending });
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

/** Whether what was recorded here means something else behind what others wrote: they changed an answer, or sent signals before those that were sent here. */
function needsOrder({ state }: FoldedRun, known: RunHead, entries: readonly Entry[]): boolean {
  if (entries.some(({ type }) => type === "revised")) return true;
  const own = [...(state.signals?.values() ?? [])].at(-1);
  return own !== undefined && own.place >= known.entries && entries.some(({ type }) => type === "signalled");
}

async function foldStored(services: JournalParts, run: string, entries: number): Promise<FoldedRun> {
  try {
    return await foldRun(services, run, entries);
  } catch (thrown) {
    // They went on since, and let go what was looked at.
    throw isWorkflowError(thrown) && thrown.code === "CHECKPOINT_PRUNED" ? takenOver(run, thrown) : thrown;
  }
}

/** What others may say of a run while it executes here. */
const BESIDE: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>([
  "answered",
  "forgotten",
  "revised",
  "signalled",
  "suspended",
  "resumed",
]);

/**
 * Behind a revision, what was recorded here of executions is what they came to before it, and may end no wave; a signal comes after those of others. So it is
 * folded anew in the order in which it is stored. It must not be lost: who would know then whether a payment was made? Anything else would mean something else there; it is left out, and
 * the run is read again.
 */
function putBehind(run: FoldedRun, stored: FoldedRun, { head, pending }: Behind): Behind {
  const moved = pending.flatMap((item) => moveBehind(stored, item) ?? []);
  stored.base = head.base ?? 0;
  run.become(stored);
  return { head, pending: moved, ...(moved.length < pending.length && { outdated: takenOver(run.state.id) }) };
}

/** What says the same behind a revision, beside what executions came to. */
const MEANS_THE_SAME: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(["opened", "signalled"]);

function moveBehind(stored: FoldedRun, item: Pending): Pending | undefined {
  const { entry, text } = item;
  // What is noted before a block executes has to be noted anew: the revision may have changed what the block is given.
  if (!entry || entry.type === "began" || !(MEANS_THE_SAME.has(entry.type) || isOfExecution(entry))) return undefined;
  const { state } = stored;
  const number = state.pauses.length;
  const isNumbered = entry.type !== "paused" || entry.pause === number;
  const numbered = isNumbered ? text : JSON.stringify({ ...(JSON.parse(text) as Entry), pause: number });
  stored.tail += numbered.length;
  if (holdsValues(entry)) stored.size += numbered.length;
  try {
    const { checkpoints = [] } = stored.apply(isNumbered ? entry : { ...entry, pause: number });
    return { ...item, text: numbered, checkpoints };
  } catch (cause) {
    throw takenOver(state.id, cause);
  }
}

function takenOver(run: string, cause?: unknown): WorkflowError {
  return new WorkflowError(
    "STORE_CONFLICT",
    `Run ${run} was moved on by another tab or process. What was done here since may not count; read the run again.`,
    { details: { run }, cause },
  );
}
