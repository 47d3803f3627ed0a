import type { CheckpointRow } from "../core/model/checkpoint.ts";
import { assertStoreKey } from "../core/model/ids.ts";
import type { RunHead } from "../core/model/run.ts";
import type { Commit, Store } from "../core/ports/store.ts";
import { checkCommit, checkExpected, storeClosed } from "./check-commit.ts";
import { compareRows, compareRuns, pageOfRows, pageOfRuns, startOfRows, startOfRuns } from "./listing.ts";
import type { RowPlace, RunPlace } from "./listing.ts";
import { readRange } from "./read-range.ts";
import { timeline } from "./timeline.ts";
import type { Timeline, TimelineNode } from "./timeline.ts";

interface StoredRun {
  head: RunHead;
  readonly node: TimelineNode<RunHead>;
  readonly entries: string[];
  readonly rows: Timeline<CheckpointRow, RowPlace>;
  /** The nodes of each row, in the list of the run and in the list of all. */
  readonly nodes: Map<number, readonly [TimelineNode<CheckpointRow>, TimelineNode<CheckpointRow>]>;
}

/** A store that lasts as long as the object: for tests, and for pages that may forget. */
export function memoryStore(): Store {
  const runs = new Map<string, StoredRun>();
  const heads = timeline<RunHead, RunPlace>(compareRuns);
  const rows = timeline<CheckpointRow, RowPlace>(compareRows);
  const blobs = new Map<string, string>();
  const claims = new Map<string, symbol>();
  let closed = false;

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
    run.head = commit.head;
    run.node.item = commit.head;
    for (const entry of commit.entries) run.entries.push(entry);
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
    },
    async head(run) {
      assertOpen();
      assertStoreKey(run, "The run id");
      return runs.get(run)?.head;
    },
    async read(run, range) {
      assertOpen();
      assertStoreKey(run, "The run id");
      const { from, to } = readRange(range);
      return runs.get(run)?.entries.slice(from, to) ?? [];
    },
    async runs(query = {}) {
      assertOpen();
      const after = startOfRuns(query);
      return pageOfRuns(heads.descending(after), query);
    },
    async checkpoints(query = {}) {
      assertOpen();
      const after = startOfRows(query);
      const list = query.run === undefined ? rows : runs.get(query.run)?.rows;
      return pageOfRows(list?.descending(after) ?? [], query);
    },
    async putBlob(hash, text) {
      assertOpen();
      assertStoreKey(hash, "The hash");
      if (!blobs.has(hash)) blobs.set(hash, text);
    },
    async getBlob(hash) {
      assertOpen();
      assertStoreKey(hash, "The hash");
      return blobs.get(hash);
    },
    async delete(run) {
      assertOpen();
      assertStoreKey(run, "The run id");
      const stored = runs.get(run);
      if (stored === undefined) return;
      for (const key of stored.nodes.keys()) forget(stored, key);
      heads.remove(stored.node);
      runs.delete(run);
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
    async close() {
      closed = true;
    },
  };
}

function rowKey(row: Pick<CheckpointRow, "kind" | "number">): number {
  return row.number * 2 + (row.kind === "pause" ? 1 : 0);
}
