import type { CheckpointRow } from "../core/model/checkpoint.ts";
import { assertStoreKey } from "../core/model/ids.ts";
import type { RunHead } from "../core/model/run.ts";
import type { Base, BlobContent, Commit, Store } from "../core/ports/store.ts";
import { checkCommit, checkExpected, storeClosed } from "./check-commit.ts";
import { compareRows, compareRuns, pageOfRows, pageOfRuns, rowKey, startOfRows, startOfRuns } from "./listing.ts";
import type { ListedHead, RowPlace, RunPlace } from "./listing.ts";
import { readRange } from "./read-range.ts";
import { sweptKeys } from "./swept-keys.ts";
import { timeline } from "./timeline.ts";
import type { Timeline, TimelineNode } from "./timeline.ts";

interface StoredRun {
  head: RunHead;
  node: TimelineNode<RunHead>;
  /** From the base on, if there is one. */
  entries: string[];
  readonly notes: Map<string, string>;
  readonly rows: Timeline<CheckpointRow, RowPlace>;
  /** The nodes of each row, in the list of the run and in the list of all. */
  readonly nodes: Map<number, readonly [TimelineNode<CheckpointRow>, TimelineNode<CheckpointRow>]>;
}

/** A store in memory, which lasts as long as the object: for tests, and for pages that need not keep anything. */
export function memoryStore(): Store {
  const runs = new Map<string, StoredRun>();
  const heads = timeline<RunHead, RunPlace>(compareRuns);
  const rows = timeline<CheckpointRow, RowPlace>(compareRows);
  const blobs = new Map<string, { readonly content: BlobContent; keptAt: number }>();
  const cached = new Map<string, { readonly text: string; readonly until: number }>();
  const claims = new Map<string, symbol>();
  const watchers = new Set<(run: string) => void>();
  /** Runs that were changed, until the watchers are notified. */
  const changed = new Set<string>();
  let closed = false;

  /** Changes within the same turn are reported once. */
  function tell(run: string): void {
    if (watchers.size === 0) return;
    changed.add(run);
    if (changed.size === 1) queueMicrotask(tellWatchers);
  }

  function tellWatchers(): void {
    const runs = [...changed];
    changed.clear();
    for (const changed of watchers) for (const run of runs) changed(run);
  }

  function assertOpen(): void {
    if (closed) throw storeClosed();
  }

  function forget(run: StoredRun, key: number): void {
    const nodes = run.nodes.get(key);
    if (nodes === undefined) return;
    run.rows.remove(nodes[0]);
    rows.remove(nodes[1]);
    run.nodes.delete(key);
  }

  function createRun(head: RunHead): StoredRun {
    const run: StoredRun = {
      head,
      node: heads.add(head),
      entries: [],
      notes: new Map(),
      rows: timeline<CheckpointRow, RowPlace>(compareRows),
      nodes: new Map(),
    };
    runs.set(head.id, run);
    return run;
  }

  function apply(commit: Commit): void {
    const found = runs.get(commit.run);
    checkExpected(commit, found?.head);
    const run = found ?? createRun(commit.head);
    const first = firstKept(found?.head);
    run.head = commit.head;
    if (compareRuns(run.node.item, commit.head) === 0) run.node.item = commit.head;
    else {
      heads.remove(run.node);
      run.node = heads.add(commit.head);
    }
    const { base, dropNotes } = commit;
    if (base === undefined) for (const entry of commit.entries) run.entries.push(entry);
    else run.entries = [base.text, ...entriesBehind(base, first, run.entries), ...entriesBehind(base, startOf(commit), commit.entries)];
    if (dropNotes !== undefined) for (const key of dropNotes) run.notes.delete(key);
    if (commit.forgotten !== undefined) for (const row of commit.forgotten) forget(run, rowKey(row));
    if (commit.checkpoints !== undefined) {
      for (const row of commit.checkpoints) {
        forget(run, rowKey(row));
        run.nodes.set(rowKey(row), [run.rows.add(row), rows.add(row)]);
      }
    }
  }

  return {
    kind: "memory",
    durable: false,
    async commit(commit) {
      assertOpen();
      checkCommit(commit);
      apply(commit);
      tell(commit.run);
    },
    async head(run) {
      assertOpen();
      assertStoreKey(run, "The run id");
      return runs.get(run)?.head;
    },
    async read(run, range) {
      assertOpen();
      assertStoreKey(run, "The run id");
      const stored = runs.get(run);
      if (stored === undefined) return [];
      const { from, to } = readRange(range);
      const first = firstKept(stored.head);
      return stored.entries.slice(Math.max(0, from - first), Math.max(0, to - first));
    },
    async runs(query = {}) {
      assertOpen();
      const after = startOfRuns(query);
      return pageOfRuns(listed(query.oldestFirst === true ? heads.ascending(after) : heads.descending(after)), query);
    },
    async checkpoints(query = {}) {
      assertOpen();
      const after = startOfRows(query);
      const list = query.run === undefined ? rows : runs.get(query.run)?.rows;
      return pageOfRows(list?.descending(after) ?? [], query);
    },
    async putBlob(hash, content) {
      assertOpen();
      assertStoreKey(hash, "The hash");
      const known = blobs.get(hash);
      if (known) known.keptAt = Date.now();
      else blobs.set(hash, { content: typeof content === "string" ? content : content.slice(), keptAt: Date.now() });
    },
    async getBlob(hash) {
      assertOpen();
      assertStoreKey(hash, "The hash");
      const content = blobs.get(hash)?.content;
      return typeof content === "object" ? content.slice() : content;
    },
    async sweepBlobs(keep, before) {
      assertOpen();
      let swept = 0;
      for (const [hash, { keptAt }] of blobs) {
        if (keptAt >= before || keep.has(hash)) continue;
        blobs.delete(hash);
        swept += 1;
      }
      return swept;
    },
    async putNote(run, key, text) {
      assertOpen();
      assertStoreKey(run, "The run id");
      assertStoreKey(key, "The key of the note");
      const notes = runs.get(run)?.notes;
      if (text === undefined) notes?.delete(key);
      else notes?.set(key, text);
      tell(run);
    },
    async notes(run, prefix = "") {
      assertOpen();
      assertStoreKey(run, "The run id");
      const found = [...(runs.get(run)?.notes ?? [])].filter(([key]) => key.startsWith(prefix));
      return found.map(([key, text]) => ({ key, text })).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    },
    cache: {
      async get(key) {
        assertOpen();
        assertStoreKey(key, "The key of the cache");
        return cached.get(key)?.text;
      },
      async put(key, text, until) {
        assertOpen();
        assertStoreKey(key, "The key of the cache");
        cached.set(key, { text, until });
      },
      async sweep(before, most) {
        assertOpen();
        const gone = sweptKeys(
          [...cached].map(([key, { until }]) => ({ key, until })),
          before,
          most,
        );
        for (const key of gone) cached.delete(key);
        return gone.length;
      },
    },
    async usage() {
      assertOpen();
      let bytes = 0;
      for (const { entries, notes } of runs.values()) {
        for (const entry of entries) bytes += entry.length;
        for (const text of notes.values()) bytes += text.length;
      }
      for (const { content } of blobs.values()) bytes += content.length;
      for (const { text } of cached.values()) bytes += text.length;
      return { runs: runs.size, bytes };
    },
    async delete(run) {
      assertOpen();
      assertStoreKey(run, "The run id");
      const stored = runs.get(run);
      if (stored === undefined) return;
      for (const key of stored.nodes.keys()) forget(stored, key);
      heads.remove(stored.node);
      runs.delete(run);
      tell(run);
    },
    async claim(run) {
      assertOpen();
      assertStoreKey(run, "The run id");
      if (claims.has(run)) return undefined;
      const holder = Symbol(run);
      claims.set(run, holder);
      return async () => {
        if (claims.get(run) === holder) claims.delete(run);
      };
    },
    watch(changed) {
      const own = (run: string): void => changed(run);
      watchers.add(own);
      return () => void watchers.delete(own);
    },
    async close() {
      closed = true;
      watchers.clear();
    },
  };
}

function* listed(heads: Iterable<RunHead>): Generator<ListedHead, void, undefined> {
  for (const head of heads) yield { head, place: head };
}

/** The place of the first entry that is kept. */
function firstKept(head: RunHead | undefined): number {
  return head?.base ? head.base - 1 : 0;
}

/** The place of the first entry of a commit. */
function startOf({ head, entries }: Commit): number {
  return head.entries - entries.length;
}

/** Returns the entries behind a base, of entries that begin at a place. */
function entriesBehind({ at }: Base, first: number, entries: readonly string[]): readonly string[] {
  return entries.slice(Math.max(0, at - first));
}
