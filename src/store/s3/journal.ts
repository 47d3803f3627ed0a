import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { Base, Commit } from "../../core/ports/store.ts";
import { checkExpected, conflict } from "../check-commit.ts";
import { compareRows, rowKey } from "../listing.ts";
import { damaged } from "../stored-head.ts";
import { type Bucket, SIDE_BY_SIDE, sideBySide } from "./bucket.ts";
import { falling, isAtSamePlace, numberOf, placeKeys } from "./places.ts";

/** How many objects before a base are kept: from them a writer that slept sees that it came late. */
const KEPT_BEFORE_BASE = 32;
/** Of how many runs a store remembers the state, and how many objects it keeps in memory. */
const KNOWN_RUNS = 1_000;
const KNOWN_LINKS = 2_000;

/**
 * A stored commit. The objects of a run are numbered, and each can be created only once, which decides between writers. A link holds the token of the one
 * before it. A link with a base holds all that is left, so the links before it are no longer needed to read the run.
 */
interface Link {
  readonly token: string;
  readonly before: string | null;
  /** The number of the first link that is needed to read the run, and of the run's first link: earlier ones belong to a deleted run. */
  readonly from: number;
  readonly born: number;
  /** The number of the link that brought the run to its place in the lists. */
  readonly placed: number;
  readonly head: RunHead;
  /** The place of the first of its entries. */
  readonly first: number;
  readonly entries: readonly string[];
  readonly base?: Base;
  readonly dropNotes?: readonly string[];
  readonly checkpoints?: readonly CheckpointRow[];
  readonly forgotten?: Commit["forgotten"];
}

/** Marks a deleted run, so that writers that have not noticed are refused. */
interface Deleted {
  readonly token: string;
  readonly before: string | null;
  readonly deleted: true;
}

/** The newest object of a run. */
interface Newest {
  readonly number: number;
  readonly link: Link | Deleted;
}

/** The newest link of a run that is there. */
export interface Standing extends Newest {
  readonly link: Link;
}

/** Thrown if the link that a reader wants was removed because the run has moved on. */
const MOVED_ON = Symbol("moved on");

/** The journals of a bucket. */
export interface Journals {
  commit(commit: Commit): Promise<void>;
  /** Returns the state of a run; nothing if there is none. */
  standing(run: string): Promise<Standing | undefined>;
  read(run: string, from: number, to: number): Promise<readonly string[]>;
  rows(run: string): Promise<readonly CheckpointRow[]>;
  /** Returns the numbers of the later links that drop a note. */
  dropsOf(run: string, behind: number): Promise<ReadonlyMap<string, number>>;
  delete(run: string): Promise<void>;
}

/** `holder` names this store in the tokens of its links. */
export function journalsIn(open: () => Promise<Bucket>, holder: string): Journals {
  const known = new Map<string, Newest>();
  const links = new Map<string, Link>();
  let written = 0;

  async function newest(run: string): Promise<Newest | undefined> {
    const bucket = await open();
    for (;;) {
      const [object] = (await bucket.list(`runs/${run}/`, { limit: 1 })).objects;
      if (!object) return undefined;
      const number = numberOf(object.key);
      const before = known.get(run);
      if (before?.number === number) return before;
      const link = await getLink(bucket, run, number);
      // Gone between the two requests: there is a newer one.
      if (link) return remember(run, { number, link });
    }
  }

  function remember(run: string, found: Newest): Newest {
    put(known, run, found, KNOWN_RUNS);
    if (!("deleted" in found.link)) put(links, found.link.token, found.link, KNOWN_LINKS);
    return found;
  }

  async function standing(run: string): Promise<Standing | undefined> {
    const found = await newest(run);
    return found && !("deleted" in found.link) ? (found as Standing) : undefined;
  }

  /** Returns the needed links of a run, from the first on; with `isEnough`, only those from the last one for which it returns true. */
  async function chain(
    run: string,
    { number, link }: Standing,
    isEnough: (link: Link, number: number) => boolean,
  ): Promise<readonly Link[]> {
    const bucket = await open();
    const found: Link[] = [link];
    let at = number - 1;
    while (at >= link.from && !isEnough(found[0]!, at + 1)) {
      const numbers = Array.from({ length: Math.min(SIDE_BY_SIDE, at - link.from + 1) }, (_, back) => at - back);
      const first = links.get(found[0]!.before ?? "");
      const got = first ? [first] : await sideBySide(numbers, (one) => getLink(bucket, run, one));
      for (const one of got) {
        if (!one || "deleted" in one || one.token !== found[0]!.before) throw await brokenAt(run, number, at);
        put(links, one.token, one, KNOWN_LINKS);
        found.unshift(one);
        at -= 1;
        if (isEnough(one, at + 1)) break;
      }
    }
    return found;
  }

  /** Returns the error for a missing link: the run is damaged, unless it has moved on and the link was removed after a base or with the run. */
  async function brokenAt(run: string, newestNumber: number, at: number): Promise<unknown> {
    const now = await newest(run);
    return now?.number === newestNumber ? damaged(run, `object ${at} is missing or another one`) : MOVED_ON;
  }

  /** Reads a run, and reads again if the run has moved on so far that links to be read are gone. */
  async function reading<T>(run: string, read: (standing: Standing | undefined) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await read(await standing(run));
      } catch (error) {
        if (error !== MOVED_ON) throw error;
      }
    }
  }

  const all = (): boolean => false;

  /** Puts the object that follows, and makes sure that no other writer was first. */
  async function append(run: string, before: Newest | undefined, link: Link | Deleted): Promise<Newest> {
    const bucket = await open();
    const number = (before?.number ?? 0) + 1;
    const key = keyOf(run, number);
    if (!(await bucket.create(key, JSON.stringify(link)))) {
      known.delete(run);
      // A request that was repeated may have got through before.
      if ((await getLink(bucket, run, number))?.token !== link.token) throw conflict(run);
    }
    // A writer that slept may put an object where others were removed since: there is a newer one then.
    const [last] = (await bucket.list(`runs/${run}/`, { limit: 1 })).objects;
    if (last?.key === key) return remember(run, { number, link });
    known.delete(run);
    const next = await getLink(bucket, run, number + 1);
    if (next?.before === link.token) return { number, link };
    await bucket.remove([key]);
    if (next) throw conflict(run);
    throw new WorkflowError(
      "STORE_FAILED",
      `Run ${run} was written to so often while this commit was on its way that whether it counts is no longer kept. Read the run again before going on.`,
    );
  }

  /** Removes the places of a link that does not count, unless the link with its number has the same places. */
  async function unlist(run: string, number: number, { token, head, placed }: Link): Promise<void> {
    const bucket = await open();
    const winner = await getLink(bucket, run, number).catch(() => undefined);
    if (!winner || winner.token === token) return;
    const taken = new Set("deleted" in winner ? [] : placeKeys(winner.head, winner.placed));
    await bucket.remove(placeKeys(head, placed).filter((key) => !taken.has(key))).catch(() => {});
  }

  function nextToken(): string {
    return `${holder} ${(written += 1)}`;
  }

  async function linkOf(commit: Commit, before: Newest | undefined): Promise<Link> {
    const { run, head, entries, base, dropNotes, checkpoints, forgotten } = commit;
    const old = before && !("deleted" in before.link) ? (before as Standing) : undefined;
    const number = (before?.number ?? 0) + 1;
    const first = head.entries - entries.length;
    const own = {
      token: nextToken(),
      before: before?.link.token ?? null,
      born: old ? old.link.born : number,
      placed: old && isAtSamePlace(old.link.head, head) ? old.link.placed : number,
      head,
      ...(dropNotes && { dropNotes }),
    };
    if (!base) {
      const rows = { ...(checkpoints && { checkpoints }), ...(forgotten && { forgotten }) };
      return { ...own, from: old ? old.link.from : number, first, entries, ...rows };
    }
    const links = old
      ? await chain(run, old, all).catch((error: unknown) => Promise.reject(error === MOVED_ON ? conflict(run) : error))
      : [];
    const kept = entriesOf(links).entries;
    const keptFrom = old ? old.link.head.entries - kept.length : 0;
    const left = [...kept.slice(Math.max(0, base.at - keptFrom)), ...entries.slice(Math.max(0, base.at - first))];
    return {
      ...own,
      from: number,
      first: base.at,
      entries: left,
      base,
      checkpoints: rowsOf([...links, { checkpoints: checkpoints ?? [], forgotten: forgotten ?? [] }]),
    };
  }

  return {
    async commit(commit) {
      const { run, expected, head, base, dropNotes = [] } = commit;
      const bucket = await open();
      const seen = known.get(run);
      const isSeen =
        seen && !("deleted" in seen.link) && seen.link.head.revision === expected?.revision && seen.link.head.epoch === expected.epoch;
      const before = isSeen ? seen : await newest(run);
      const stored = before && !("deleted" in before.link) ? before.link : undefined;
      checkExpected(commit, stored?.head);
      const link = await linkOf(commit, before);
      const isMoved = link.placed !== stored?.placed;
      // It is listed at its new place before it is there, and at the old one until then: lists look whether it is.
      if (isMoved) await Promise.all(placeKeys(head, link.placed).map((key) => bucket.put(key, "")));
      const { number } = await append(run, before, link).catch(async (error: unknown) => {
        if (isMoved) await unlist(run, (before?.number ?? 0) + 1, link);
        throw error;
      });
      const gone = [...(isMoved && stored ? placeKeys(stored.head, stored.placed) : []), ...dropNotes.map((key) => noteKey(run, key))];
      // What stays because of a failure is found to be out of date by its readers.
      await bucket.remove(gone).catch(() => {});
      if (base) await removeBefore(bucket, run, number - KEPT_BEFORE_BASE).catch(() => {});
    },
    standing,
    read: (run, from, to) =>
      reading(run, async (found) => {
        if (!found) return [];
        const { entries, first } = entriesOf(await chain(run, found, (link) => link.first <= from));
        return entries.slice(Math.max(0, from - first), Math.max(0, to - first));
      }),
    rows: (run) => reading(run, async (found) => (found ? rowsOf(await chain(run, found, all)) : [])),
    dropsOf: (run, behind) =>
      reading(run, async (found) => {
        const drops = new Map<string, number>();
        if (!found) return drops;
        const later = await chain(run, found, (_, number) => number <= behind + 1);
        const first = found.number - later.length + 1;
        for (const [index, { dropNotes = [] }] of later.entries()) for (const key of dropNotes) drops.set(key, first + index);
        return drops;
      }),
    async delete(run) {
      const bucket = await open();
      let last: Newest | undefined;
      for (;;) {
        last = await newest(run);
        if (!last) return;
        if ("deleted" in last.link) break;
        const places = placeKeys(last.link.head, last.link.placed);
        try {
          last = await append(run, last, { token: nextToken(), before: last.link.token, deleted: true });
        } catch (error) {
          if ((error as WorkflowError).code !== "STORE_CONFLICT") throw error;
          continue;
        }
        await bucket.remove(places);
        break;
      }
      for await (const { objects } of bucket.pages(`notes/${run}/`)) await bucket.remove(objects.map(({ key }) => key));
      await removeBefore(bucket, run, last.number);
    },
  };
}

/** The key of a note. */
export function noteKey(run: string, key: string): string {
  return `notes/${run}/${key}`;
}

function keyOf(run: string, number: number): string {
  return `runs/${run}/${falling(number)}`;
}

async function getLink(bucket: Bucket, run: string, number: number): Promise<Link | Deleted | undefined> {
  const response = await bucket.get(keyOf(run, number));
  if (!response) return undefined;
  try {
    const link = JSON.parse(await response.text()) as Link | Deleted;
    if (typeof link.token === "string" && ("deleted" in link || link.head.id === run)) return link;
  } catch {
    // Said below, with what to do.
  }
  throw damaged(run, `object ${number} is not what was written`);
}

/** Removes the objects of a run before one, oldest first, so that no gap is left. */
async function removeBefore(bucket: Bucket, run: string, number: number): Promise<void> {
  if (number <= 1) return;
  const older: string[] = [];
  for await (const { objects } of bucket.pages(`runs/${run}/`, keyOf(run, number))) older.push(...objects.map(({ key }) => key));
  await bucket.remove(older.toReversed());
}

/** The entries of links that follow each other, and the place of the first one. */
function entriesOf(links: readonly Pick<Link, "base" | "first" | "entries">[]): {
  readonly entries: readonly string[];
  readonly first: number;
} {
  const [oldest] = links;
  if (!oldest) return { entries: [], first: 0 };
  const base = oldest.base ? [oldest.base.text] : [];
  return { entries: [...base, ...links.flatMap(({ entries }) => entries)], first: oldest.first - base.length };
}

/** The rows that links which follow each other leave, the newest first. */
function rowsOf(links: readonly Pick<Link, "checkpoints" | "forgotten">[]): readonly CheckpointRow[] {
  const rows = new Map<number, CheckpointRow>();
  for (const { checkpoints = [], forgotten = [] } of links) {
    for (const row of forgotten) rows.delete(rowKey(row));
    for (const row of checkpoints) rows.set(rowKey(row), row);
  }
  return [...rows.values()].toSorted((a, b) => compareRows(b, a));
}

/** Puts a value last into a map of limited size. */
function put<Key, Item>(map: Map<Key, Item>, key: Key, item: Item, most: number): void {
  map.delete(key);
  map.set(key, item);
  if (map.size > most) map.delete(map.keys().next().value!);
}
