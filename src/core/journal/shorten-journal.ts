import type { CheckpointRow } from "../model/checkpoint.ts";
import { isConflict } from "../model/errors.ts";
import type { RunHead } from "../model/run.ts";
import type { Base, Commit } from "../ports/store.ts";
import { wasOpenAt } from "./checkpoints.ts";
import { notesToDrop, type Pending } from "./pending.ts";
import { loadStates } from "./load-states.ts";
import { foldRun } from "./read-run.ts";
import type { JournalParts } from "./journal-parts.ts";
import type { Session } from "./session.ts";
import type { FoldedRun, RunState } from "../machine/machine.ts";
import { storeCommit } from "./store-commit.ts";

/** Characters of a state that is written as quickly as what changes in it. */
const SMALL_STATE = 65_536;

/** Characters of a tail that is read as fast as it could be spared. */
const LONG_TAIL = 262_144;
/** A snapshot is made once this many entries have come since the newest one. */
const SNAPSHOT_AFTER_ENTRIES = 1_000;
/** Looking at each block once, for a snapshot, is spread over as many entries as this part of all there are. */
const PART_OF_ALL = 32;

/** Whether so much would have to be read again if this process died now that shortening it is worth its bytes. */
export function isFarAhead(services: JournalParts, session: Session): boolean {
  return isTailLong(session) || leavesMuch(services, session);
}

/** Whether so much lies behind the newest base or snapshot that reading it takes long. */
function isTailLong({ folded: { tail, size } }: Session): boolean {
  return tail > LONG_TAIL && tail > 4 * size;
}

/** Whether so many entries came since the newest snapshot. What a store in memory holds dies with its process. */
function leavesMuch({ store }: JournalParts, { policy, isFaithful, folded }: Session): boolean {
  if (policy.retention !== "full" || !store.durable || !isFaithful) return false;
  const since = entriesSince(folded);
  return since >= SNAPSHOT_AFTER_ENTRIES && since >= folded.state.entries / PART_OF_ALL && folded.tail > folded.snapshot;
}

/** Whether a run that waits for a person would take long to open. */
function waitsLong({ folded }: Session): boolean {
  return folded.state.open.size > 0 && entriesSince(folded) >= SNAPSHOT_AFTER_ENTRIES;
}

/** How many entries came since the newest snapshot. */
function entriesSince({ state, spared }: FoldedRun): number {
  return state.entries - spared;
}

/**
 * Stores what was recorded, and keeps what has to be read of a run short, as its policy says: replaces the history that is let go by a base, or leaves a
 * snapshot where all is kept and reading it again would take long. Resolves when everything recorded is stored. What it costs is paid for by what was
 * recorded since the last time.
 */
export async function keepShort(services: JournalParts, session: Session, { atRest }: { readonly atRest: boolean }): Promise<void> {
  const { retention, window = 0 } = session.policy;
  if (retention === "full") {
    const isWorthwhile = isTailLong(session) || (atRest ? waitsLong(session) : leavesMuch(services, session));
    return isWorthwhile ? keepBeside(services, session) : session.flushed();
  }
  const { readableBase } = await loadStates();
  const { folded, state } = session;
  // What a block asked for stays: the history from the first such checkpoint on is kept.
  const { entries: asked } = state.requested.find(({ forgotten }) => !forgotten) ?? {};
  if (retention !== "latest" || asked !== undefined) await session.flushed();
  if (!session.isFaithful) return session.flushed();
  if (asked !== undefined) {
    if (asked > folded.base) await replaceHistory(services, session, async () => readableBase(await foldRun(services, state.id, asked)));
  } else if (retention === "latest") {
    // The end of a run stands behind its last checkpoint, from which it can be forked.
    const { lastCheckpoint } = session;
    if (state.finished) {
      if (lastCheckpoint && lastCheckpoint.at > folded.base) await replaceHistory(services, session, async () => lastCheckpoint);
      // A large state is written anew only after half as much was recorded: so each answer does not cost as much as the whole run.
    } else if (folded.size <= SMALL_STATE || folded.tail > folded.size / 2) {
      await replaceHistory(services, session, () => readableBase(folded));
    }
  } else {
    const place = state.ends[state.ends.length - 1 - window] ?? 0;
    // Folding the old state costs as much as a window does, so it is done once a window, and where nothing else is waiting.
    const behind = state.ends.filter((end) => end > folded.base && end <= place).length;
    if (place > folded.base && (atRest || behind >= window)) {
      await replaceHistory(services, session, async () => readableBase(await foldRun(services, state.id, place)));
    }
  }
  return session.flushed();
}

/** Leaves a snapshot. It is a cache: where its code cannot be loaded now, the run goes on without one. */
async function keepBeside(services: JournalParts, session: Session): Promise<void> {
  const { folded, state } = session;
  const states = await loadStates().catch(() => undefined);
  await session.flushed();
  if (!states) folded.spared = state.entries;
  // Something may have been recorded since: a snapshot of what is not stored could say what never happens.
  else if (session.isFaithful && session.isStored) await states.keepSnapshot(services, folded);
  await session.flushed();
}

/** Removes the snapshot of a run that has ended, if it has one. */
export async function dropSnapshot(services: JournalParts, { folded }: Session): Promise<void> {
  if (folded.snapshot > 0) await (await loadStates()).dropSnapshot(services, folded);
}

/** Remembers the state at the last checkpoint of a run that is about to end, where it stands there. */
export async function keepLastCheckpoint(session: Session): Promise<void> {
  const { state } = session;
  session.lastCheckpoint = state.ends.at(-1) === state.entries ? await (await loadStates()).readableBase(session.folded) : undefined;
}

async function replaceHistory(services: JournalParts, session: Session, make: () => Promise<Base | undefined>): Promise<void> {
  const { folded } = session;
  await session.commitWith(async (known, pending) => {
    // The head tells of the entries that go with it, and not of what is recorded while the base is made.
    const head = session.describe(known, pending.length);
    const base = await make();
    if (base === undefined || known?.base === base.at) return undefined;
    const commit = baseCommit(session, { base, known, pending, head });
    try {
      await storeCommit(services, commit);
    } catch (error) {
      // Another tab wrote meanwhile: what it said is merged with the next plain commit, and the history goes another time.
      if (isConflict(error)) return undefined;
      throw error;
    }
    folded.base = base.at;
    folded.tail = 0;
    return commit.head;
  });
}

interface Replacement {
  readonly base: Base;
  readonly known: RunHead | undefined;
  readonly pending: readonly Pending[];
  /** The run once they are stored. */
  readonly head: RunHead;
}

function baseCommit(session: Session, { base, known, pending, head }: Replacement): Commit {
  const { state } = session;
  const entries = pending.map(({ text }) => text);
  const added = entries.slice(Math.max(0, base.at - (known?.entries ?? 0)));
  return {
    run: state.id,
    expected: known && { revision: known.revision, epoch: known.epoch },
    head: { ...head, base: base.at },
    entries: added,
    base,
    checkpoints: pending.flatMap(({ checkpoints }) => checkpoints.filter((row) => isKept(state, row, base.at))),
    forgotten: [...pending.flatMap(({ forgotten }) => forgotten), ...prunedRows(state, known?.base ?? 0, base.at)],
    ...notesToDrop(pending),
    durability: "strict",
  };
}

function isKept(state: RunState, { kind, number, entries }: CheckpointRow, base: number): boolean {
  return entries >= base || (kind === "pause" && wasOpenAt(state, number, base));
}

/** The rows of checkpoints that can no longer be loaded once a base takes the place of an older one. */
export function prunedRows(state: RunState, from: number, base: number): Pick<CheckpointRow, "kind" | "number">[] {
  const { ends, pauses } = state;
  const isPruned = (end: number): boolean => end >= from && end > 0 && end < base;
  const waves = ends.flatMap((end, number) => (isPruned(end) ? [{ kind: "wave" as const, number }] : []));
  // One that was brought back, and taken back before its wave ended, has no end again; its row has.
  const asked = pauses.flatMap(({ end }, number) =>
    end < base && !wasOpenAt(state, number, base) ? [{ kind: "pause" as const, number }] : [],
  );
  const requested = state.requested.flatMap(({ entries }, number) => (entries < base ? [{ kind: "requested" as const, number }] : []));
  return [...waves, ...asked, ...requested];
}
