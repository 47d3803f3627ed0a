import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { RUN_STATUSES } from "../../core/model/run.ts";
import type { RunHead, RunStatus } from "../../core/model/run.ts";
import type { BlobContent, Commit, Store } from "../../core/ports/store.ts";
import { isRecord } from "../../core/model/value.ts";
import { expectEqual } from "../conformance/assertion.ts";

/** What a run is after one of its writes; without a head it is not there. */
interface RunVersion {
  readonly head: RunHead | undefined;
  /** From the base on. */
  readonly entries: readonly string[];
  readonly rows: readonly CheckpointRow[];
}

interface RunLedger {
  /** What the run is after 0, 1, 2, … writes. */
  readonly versions: RunVersion[];
  /** How many of the writes are known to have happened. */
  acknowledged: number;
  /** Notes that were put, each at a version, and until which version they count. */
  readonly notes: { readonly key: string; readonly text: string; from: number; until: number }[];
}

/** Keeps account of what was asked of a store and what it acknowledged, to tell whether what it shows after a crash may be. */
export interface CrashLedger {
  commit(commit: Commit, done: Promise<void>): Promise<void>;
  delete(run: string, done: Promise<void>): Promise<void>;
  note(run: string, note: { readonly key: string; readonly text: string | undefined }): void;
  blob(hash: string, content: BlobContent, done: Promise<void>): Promise<void>;
  /** A blob that may be swept from now on. */
  release(hash: string): void;
  /** The head of a run after everything that was asked. */
  head(run: string): RunHead | undefined;
  /** What was acknowledged until now. */
  moment(): CrashMoment;
  /**
   * Throws where the store shows what it must not after a crash at a moment: acknowledged data missing, half a commit, other data, a note
   * that was dropped, damage. Gives the heads it shows.
   */
  check(store: Store, moment: CrashMoment): Promise<ReadonlyMap<string, RunHead | undefined>>;
  /** After a crash: a run goes on from the head that was found, and what was asked beyond it never happened. */
  goOnFrom(run: string, head: RunHead | undefined): void;
}

/** What a store had acknowledged when its power was cut. */
export interface CrashMoment {
  /** The same while nothing more is acknowledged. */
  readonly key: string;
  /** How many writes, by run. */
  readonly writes: ReadonlyMap<string, number>;
  /** Hashes. */
  readonly blobs: ReadonlySet<string>;
}

/** An empty {@link CrashLedger}. */
export function crashLedger(): CrashLedger {
  const runs = new Map<string, RunLedger>();
  const blobs = new Map<string, { readonly content: BlobContent; mustStay: boolean }>();

  function ledgerOf(run: string): RunLedger {
    let found = runs.get(run);
    if (found === undefined) {
      found = { versions: [{ head: undefined, entries: [], rows: [] }], acknowledged: 0, notes: [] };
      runs.set(run, found);
    }
    return found;
  }

  async function write(run: string, version: RunVersion, done: Promise<void>): Promise<void> {
    const ledger = ledgerOf(run);
    const place = ledger.versions.push(version) - 1;
    await done;
    ledger.acknowledged = Math.max(ledger.acknowledged, place);
  }

  function endNotes(run: string, keys: readonly string[] | undefined): void {
    const { notes, versions } = ledgerOf(run);
    for (const note of notes) if (keys?.includes(note.key) ?? true) note.until = Math.min(note.until, versions.length);
  }

  async function checkRun(store: Store, run: string, acknowledged: number): Promise<RunHead | undefined> {
    const { versions, notes } = ledgerOf(run);
    const head = await store.head(run);
    const place = versions.findLastIndex((version, index) => index >= acknowledged && isSame(version.head, head));
    if (place < 0) expectEqual(head, versions[acknowledged]!.head, `the head of ${run}, of which ${acknowledged} writes were acknowledged`);
    const version = versions[place]!;
    expectEqual(await store.read(run), version.entries, `the journal of ${run} at write ${place}`);
    expectEqual((await store.checkpoints({ run })).items, version.rows, `the checkpoints of ${run} at write ${place}`);
    for (const { key, text } of await store.notes(run)) {
      const mayBe = notes.some((note) => note.key === key && note.text === text && note.from <= place && place < note.until);
      if (!mayBe) throw new Error(`${run} has the note ${key} at write ${place}, which was dropped or never put: ${text.slice(0, 100)}`);
    }
    return head;
  }

  return {
    commit(commit, done) {
      endNotes(commit.run, commit.dropNotes ?? []);
      return write(commit.run, nextVersion(ledgerOf(commit.run).versions.at(-1)!, commit), done);
    },
    delete(run, done) {
      endNotes(run, undefined);
      return write(run, { head: undefined, entries: [], rows: [] }, done);
    },
    note(run, { key, text }) {
      const { notes, versions } = ledgerOf(run);
      if (text !== undefined) notes.push({ key, text, from: versions.length - 1, until: Infinity });
    },
    async blob(hash, content, done) {
      const entry = blobs.get(hash) ?? { content, mustStay: false };
      blobs.set(hash, entry);
      await done;
      entry.mustStay = true;
    },
    release(hash) {
      const entry = blobs.get(hash);
      if (entry !== undefined) entry.mustStay = false;
    },
    head: (run) => ledgerOf(run).versions.at(-1)!.head,
    moment() {
      const writes = new Map([...runs].map(([run, { acknowledged }]) => [run, acknowledged]));
      const kept = new Set([...blobs].flatMap(([hash, { mustStay }]) => (mustStay ? [hash] : [])));
      return { key: JSON.stringify([[...writes], [...kept]]), writes, blobs: kept };
    },
    goOnFrom(run, head) {
      const { versions, notes } = ledgerOf(run);
      const place = versions.findLastIndex((version) => isSame(version.head, head));
      versions.length = place + 1;
      for (const note of notes) {
        note.from = Math.min(note.from, place);
        if (note.until > place) note.until = Infinity;
      }
    },
    async check(store, moment) {
      // Lists come first: nothing of the store has read a run yet.
      const listed = new Map<RunStatus, readonly RunHead[]>();
      for (const status of RUN_STATUSES) listed.set(status, (await store.runs({ status })).items);
      const heads = new Map<string, RunHead | undefined>();
      for (const run of runs.keys()) heads.set(run, await checkRun(store, run, moment.writes.get(run) ?? 0));
      const page = await store.runs();
      expectEqual(page.damaged, undefined, "damaged runs");
      const present = [...heads].flatMap(([run, head]) => (head === undefined ? [] : [run]));
      expectEqual(page.items.map(({ id }) => id).toSorted(), present.toSorted(), "the list of runs");
      for (const [status, items] of listed) {
        const expected = page.items.filter((head) => head.status === status);
        expectEqual(items, expected, `the list of runs that are ${status}`);
      }
      for (const [hash, { content }] of blobs) {
        const found = await store.getBlob(hash);
        if (found !== undefined || moment.blobs.has(hash)) expectEqual(found && bytesOf(found), bytesOf(content), `the blob ${hash}`);
      }
      return heads;
    },
  };
}

/** A run after a commit, as the contract of stores has it. */
function nextVersion({ head, entries, rows }: RunVersion, commit: Commit): RunVersion {
  const left = [...(commit.forgotten ?? []), ...(commit.checkpoints ?? [])];
  const isLeft = (row: CheckpointRow): boolean => left.some(({ kind, number }) => kind === row.kind && number === row.number);
  const newRows = [...rows.filter((row) => !isLeft(row)), ...(commit.checkpoints ?? [])];
  return {
    head: commit.head,
    entries: commit.base === undefined ? [...entries, ...commit.entries] : rebased(head, entries, commit),
    rows: newRows.toSorted((a, b) => b.createdAt - a.createdAt || b.number - a.number),
  };
}

function rebased(head: RunHead | undefined, entries: readonly string[], { base, entries: added, head: after }: Commit): readonly string[] {
  const { at, text } = base!;
  const first = head?.base ? head.base - 1 : 0;
  const from = after.entries - added.length;
  return [text, ...entries.slice(Math.max(0, at - first)), ...added.slice(Math.max(0, at - from))];
}

function isSame(a: RunHead | undefined, b: RunHead | undefined): boolean {
  return ordered(a) === ordered(b);
}

/** Equal for heads that differ in nothing but the order of their fields. */
function ordered(head: RunHead | undefined): string {
  return JSON.stringify(head, (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

function bytesOf(content: BlobContent): string | readonly number[] {
  return typeof content === "string" ? content : [...content];
}
