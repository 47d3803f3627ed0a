import type { JournalParts } from "./journal-parts.ts";
import type { FoldedRun, StepRecords } from "../machine/machine.ts";
import { isSettled, readSnapshot, stretchesOf, type StretchPlace, writeSnapshot, writeStretch } from "./snapshot-text.ts";

/** Snapshots of one run that are kept beside the newest: each covers twice as much as the one before, so that old states are near one too. */
const MAX_OLDER = 3;
const PREFIX = "snapshot.";
/** Entries since the newest snapshot from which on another one may be worth it. */
const WORTH_ENTRIES = 1_000;
/** Looking at each block once is spread over as many entries as this part of all there are. */
const PART_OF_ALL = 32;

/** What stands in a store of the snapshots of a run. */
interface Kept {
  /** The places of the snapshots. */
  heads: number[];
  /** Where stretches stand beside them: for each the snapshots with which it was written, oldest first. */
  readonly stretches: Map<number, readonly number[]>;
  /** The records of which the newest were written: a move to another definition makes others. */
  records: StepRecords | undefined;
  /** The newest of each, and how often the stretch had changed when it was written. */
  readonly newest: Map<number, { readonly place: StretchPlace; readonly changes: number }>;
  /** Characters of the newest snapshot without its stretches. */
  length: number;
}

/** By the run as this process has read or written it. */
const kept = new WeakMap<FoldedRun, Kept>();

/** Whether so much came since the newest snapshot that another one costs little beside it. */
export function isSnapshotDue(run: FoldedRun): boolean {
  const since = run.state.entries - run.spared;
  if (since < WORTH_ENTRIES || since < run.state.entries / PART_OF_ALL) return false;
  return run.tail > (kept.get(run)?.length ?? 0);
}

/**
 * Keeps the state as notes, so that the journal before it need not be read again. A cache: without it everything is the same, only
 * slower. The state must be stored, entry by entry, with no other write meanwhile. Stretches of settled blocks are written once, each into a
 * note of its own: so a snapshot costs what changed since the one before.
 */
export async function keepSnapshot(services: JournalParts, run: FoldedRun): Promise<void> {
  const { id, entries: at, records } = run.state;
  const own = kept.get(run) ?? emptyKept();
  if (own.records !== records) own.newest.clear();
  own.records = records;
  const written: (readonly [key: string, text: string])[] = [];
  const stretches = stretchesOf(run).flatMap((stretch): readonly StretchPlace[] => {
    const changes = records.changes(stretch);
    const before = own.newest.get(stretch);
    if (before?.changes === changes) return [before.place];
    if (!isSettled(run, stretch)) return [];
    const { text, sum } = writeStretch(run, stretch);
    const place: StretchPlace = [stretch, at, sum];
    written.push([stretchKey(stretch, at), text]);
    own.newest.set(stretch, { place, changes });
    own.stretches.set(stretch, [...(own.stretches.get(stretch) ?? []).filter((known) => known !== at), at]);
    return [place];
  });
  const head = writeSnapshot(run, stretches);
  written.push([PREFIX + at, head]);
  const isFirst = !kept.has(run);
  kept.set(run, own);
  own.heads = [...own.heads.filter((known) => known !== at), at];
  own.length = head.length;
  run.spared = at;
  // What another process left, or this one before it read the run anew, is not known.
  if (isFirst) await remove(services, id, await keysOf(services, id));
  for (const [key, text] of written) await services.store.putNote(id, key, text);
  await remove(services, id, takeOutdated(own));
}

/** Removes the snapshots of a run that has ended: what remains to be done with it does not need them. */
export async function dropSnapshots(services: JournalParts, run: FoldedRun): Promise<void> {
  const own = kept.get(run);
  if (!own) return;
  kept.delete(run);
  const keys = own.heads.map((at) => PREFIX + at);
  for (const [stretch, places] of own.stretches) for (const at of places) keys.push(stretchKey(stretch, at));
  await remove(services, run.state.id, keys);
}

/** The newest snapshot of a run among its first `count` entries; nothing where there is none that can be read. */
export async function findSnapshot(services: JournalParts, run: string, count: number): Promise<FoldedRun | undefined> {
  const notes = new Map((await services.store.notes(run, PREFIX)).map(({ key, text }) => [key, text]));
  const heads = [...notes.keys()].filter(isHead).map(placeOf);
  for (const place of heads.filter((at) => at <= count).toSorted((a, b) => b - a)) {
    const text = notes.get(PREFIX + place)!;
    const found = await readSnapshot(services, run, text, (stretch, at) => notes.get(stretchKey(stretch, at))).catch(() => undefined);
    // What a damaged one spares can still be read, entry by entry.
    if (!found || found.run.state.entries > count) continue;
    const own: Kept = { ...emptyKept(), heads, records: found.run.state.records, length: text.length };
    for (const at of found.stretches) if (at[1] > 0) own.newest.set(at[0], { place: at, changes: 0 });
    for (const key of [...notes.keys()].filter((other) => !isHead(other))) {
      const stretch = stretchOf(key);
      own.stretches.set(
        stretch,
        [...(own.stretches.get(stretch) ?? []), placeOf(key)].toSorted((a, b) => a - b),
      );
    }
    kept.set(found.run, own);
    return found.run;
  }
  return undefined;
}

function emptyKept(): Kept {
  return { heads: [], stretches: new Map(), records: undefined, newest: new Map(), length: 0 };
}

/**
 * The keys of what no snapshot needs that stays. The newest needs the stretches that are known of it, an older one of each stretch the newest that
 * was written with it or before.
 */
function takeOutdated(own: Kept): string[] {
  const heads = thinOut(own.heads);
  const outdated = own.heads.filter((at) => !heads.includes(at)).map((at) => PREFIX + at);
  own.heads = heads;
  for (const [stretch, places] of own.stretches) {
    const needed = new Set(heads.slice(1).map((head) => places.findLast((at) => at <= head)));
    needed.add(own.newest.get(stretch)?.place[1]);
    for (const at of places) if (!needed.has(at)) outdated.push(stretchKey(stretch, at));
    own.stretches.set(
      stretch,
      places.filter((at) => needed.has(at)),
    );
  }
  return outdated;
}

/** The newest, and of those before it the first after each doubling. */
function thinOut(heads: readonly number[]): number[] {
  const [newest, ...older] = heads.toSorted((a, b) => b - a);
  const firsts = older.filter((at, i) => older[i + 1] === undefined || Math.floor(Math.log2(older[i + 1]!)) < Math.floor(Math.log2(at)));
  return [newest!, ...firsts.slice(0, MAX_OLDER)];
}

async function keysOf({ store }: JournalParts, run: string): Promise<string[]> {
  return (await store.notes(run, PREFIX)).map(({ key }) => key);
}

async function remove({ store }: JournalParts, run: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.putNote(run, key, undefined);
}

/** A stretch stands under the place of the snapshot with which it was written. */
function stretchKey(stretch: number, at: number): string {
  return `${PREFIX}${at}.${stretch}`;
}

function isHead(key: string): boolean {
  return !key.includes(".", PREFIX.length);
}

function placeOf(key: string): number {
  return Number(key.slice(PREFIX.length).split(".")[0]);
}

function stretchOf(key: string): number {
  return Number(key.slice(PREFIX.length).split(".")[1]);
}
