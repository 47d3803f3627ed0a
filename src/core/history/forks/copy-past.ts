import type { CheckpointRow } from "../../model/checkpoint.ts";
import { WorkflowError } from "../../model/errors.ts";
import type { AnsweredEntry, Entry } from "../../model/journal.ts";
import type { RunFork, RunParent } from "../../model/run.ts";
import type { CompiledWorkflow } from "../../definition/definition.ts";
import { checkpointRows, foldRun, hasCheckpoint, loadStates, pruned, readTexts, Session } from "../../journal/journal.ts";
import type { Services } from "../../run/run.ts";
import { callAddress, codeOf, COMPLETED, type FoldedRun, type RunState } from "../../machine/machine.ts";
import { unitOfAddress } from "../called-addresses.ts";
import { storedRun } from "../past/load-checkpoint.ts";
import { calledPlaces, type PastPlace } from "./called-places.ts";
import { callsSince, copyEffectsOfCalled, effectsSince } from "./copy-effects.ts";
import { assertNotUndoing, forkedFrom, isUndone, type ReopenedCall, withdrawnFrom } from "./undone-since.ts";

/** How a new run differs from its source, from its first commit on. */
export interface ForkChange {
  /** The entries that say so, each made for the run once those before it are folded. */
  entries(run: FoldedRun, at: number): Iterable<Entry>;
  /** The definition to which one of them moves the run. */
  readonly definition?: { readonly hash: string; readonly compiled: CompiledWorkflow } | undefined;
}

/** A run that is to get the past of another one. */
export interface PastCopy {
  readonly place: PastPlace;
  /** The id of the new run. */
  readonly to: string;
  readonly change?: ForkChange | undefined;
  readonly parent?: RunParent;
}

/**
 * Makes a new run with the past of another up to a place, and new runs for all runs that it had called by then. The new runs know which blocks must not
 * run twice and were executed after the place; what was undone since is due again in them. The old runs stay as they are, and the new ones do not need
 * them. Gives the numbers of the questions that were open at the place and are withdrawn; nothing where nothing is due again. Throws
 * `CHECKPOINT_PRUNED`, and what {@link assertNotUndoing} and {@link forkedFrom} throw.
 */
export async function copyPast(services: Services, { place, to, change, parent }: PastCopy): Promise<ReadonlySet<number> | undefined> {
  const fork: RunFork = { run: place.run, checkpoint: place.checkpoint };
  const source = await services.find(place.run);
  const now = source && (await storedRun(services, source));
  const head = await services.store.head(place.run);
  if (!now || !head) throw new WorkflowError("RUN_NOT_FOUND", `Run ${place.run} was deleted, so it cannot be forked.`);
  source.assertHere();
  if (place.entries < (head.base ?? 0)) throw pruned(now, "What was before that");
  const past = await foldRun(services, place.run, place.entries);
  assertNotUndoing(now, past);
  // Called runs first: a crash in between leaves unreferenced copies, never a run that misses what it called.
  const copied = new Set<string>();
  const reopened: ReopenedCall[] = [];
  for (const { unit, workflow, ...there } of await calledPlaces(services, past, place.answers)) {
    const address = callAddress(past, unit, workflow);
    copied.add(address);
    // The runs that it called are undone as well, and called again.
    if (isUndone(now, unitOfAddress(now, address)) && codeOf(past.state, unit) === COMPLETED) continue;
    const parentOf = { run: to, block: address };
    const withdrawn = await copyPast(services, { place: there, to: await services.childId(to, address), parent: parentOf });
    if (withdrawn) reopened.push({ unit, workflow, withdrawn });
  }
  const calls = await copyEffectsOfCalled(services, now, { to, copied });
  const texts = await readTexts(services, place.run, { to: place.entries });
  // Its past may have been dropped, or the run deleted, since it was folded.
  if (!head.base && texts.length < place.entries) {
    if (await services.store.head(place.run)) throw pruned(now, "What was before that");
    throw new WorkflowError("RUN_NOT_FOUND", `Run ${place.run} was deleted, so it cannot be forked.`);
  }
  const rows = await copyRows(services, past, place, to);
  const own = past.fork(to, parent);
  own.base = head.base ?? 0;
  const session = new Session(services, own, undefined, {
    origin: { createdAt: services.host.now(), fork, ...(parent ? { parent } : {}), ...(head.blobs ? { blobs: head.blobs } : {}) },
  });
  let withdrawn: ReadonlySet<number> | undefined;
  if (change?.definition) own.know(change.definition.hash, change.definition.compiled);
  const begin = (): { readonly texts: string[]; readonly rows: CheckpointRow[] } => {
    const at = session.now();
    const made: CheckpointRow[] = [];
    const written: string[] = [];
    const add = (entries: Iterable<Entry>): void => {
      for (const entry of entries) {
        made.push(...(own.apply(entry).checkpoints ?? []));
        written.push(session.textOf(entry));
      }
    };
    if (own.state.suspension) add([{ type: "resumed", at }]);
    add(effectsSince(now, own, at));
    add(callsSince(calls, own, at));
    add(answersOf(own.state, place.answers, at));
    if (change) add(change.entries(own, at));
    const { open, answered, pauses } = own.state;
    const asked = [...open, ...answered];
    const forked = forkedFrom(now, own, reopened, at);
    add(forked);
    add(withdrawnFrom(own, reopened, at));
    if (reopened.length > 0 || forked.some(({ undone }) => undone)) withdrawn = new Set(asked.filter((one) => pauses[one]!.withdrawn));
    return { texts: written, rows: made };
  };
  if (head.base) {
    await createFromBase(services, session, { rows, begin });
    return withdrawn;
  }
  const first = parent ? JSON.stringify({ ...(JSON.parse(texts[0]!) as object), parent }) : texts[0]!;
  const beginning = begin();
  await session.create([first, ...texts.slice(1), ...beginning.texts], [...rows, ...beginning.rows]);
  await session.flushed();
  return withdrawn;
}

/** The checkpoints of the past that are still listed. */
async function copyRows(services: Services, past: FoldedRun, { run, entries }: PastPlace, to: string): Promise<CheckpointRow[]> {
  const rows: CheckpointRow[] = [];
  for await (const row of checkpointRows(services, { run })) {
    // What came after the place may have said that a superstep had ended there.
    if (row.entries <= entries && hasCheckpoint(past, row)) rows.push({ ...row, run: to });
  }
  return rows;
}

interface Copied {
  /** The checkpoints of the past. */
  readonly rows: readonly CheckpointRow[];
  /** Folds what the new run begins with. */
  readonly begin: () => { readonly texts: string[] };
}

/** If the beginning of a run is no longer kept, its past is one text. */
async function createFromBase(services: Services, session: Session, { rows, begin }: Copied): Promise<void> {
  const { state } = session;
  await session.commitWith(async () => {
    const { writeBase } = await loadStates();
    const base = await writeBase(session.folded);
    const open = rows.filter(({ kind, number }) => kind === "pause" && state.open.has(number));
    // The head names the blobs of the answers, which are known once those are written.
    const { texts: entries } = begin();
    const head = { ...session.describe(undefined, base.at + entries.length), base: base.at };
    await services.store.commit({ run: state.id, expected: undefined, head, base, entries, checkpoints: open, durability: "strict" });
    return head;
  });
}

function answersOf(past: RunState, answers: PastPlace["answers"], at: number): readonly AnsweredEntry[] {
  const own = [...(answers ?? [])].filter(([number]) => past.pauses[number]?.entry.child === undefined);
  return own.map(([number, response]): AnsweredEntry => ({ type: "answered", pause: number, response, at }));
}
