import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { Commit } from "../../core/ports/store.ts";
import { longRow, shortRow } from "../short-row.ts";
import { damaged } from "./failure.ts";
import type { CommitRecord, Reading } from "./schema.ts";

/** The most commits of a tail, which lists read for each running run. */
const LONGEST_TAIL = 32;
/** Characters of the entries of a tail. */
const LARGEST_TAIL = 65_536;

/**
 * A run as it is stored. While blocks execute, a commit writes one record and nothing else, which is twice as fast: these records are the
 * tail of the journal. What follows from them for `heads` and `rows` is written by the next commit that does not fit the tail.
 */
export interface StoredRun {
  readonly head: RunHead;
  /** What stands for the run in the keys of the journal. */
  readonly number: number;
  /** The store that wrote the last commit. */
  readonly writer: string;
  /** The revision of the commit before the tail. */
  readonly folded: number;
  /** Rows of the tail. */
  readonly rows: readonly CheckpointRow[];
  /** Characters of the entries in the tail. */
  readonly size: number;
}

/** Whether a commit may join the tail: it changes no more than a running run's time, counts and seal, and adds rows. */
export function joinsTail({ head, folded, size }: StoredRun, commit: Commit): boolean {
  return (
    commit.head.status === "running" &&
    commit.head.revision - folded < LONGEST_TAIL &&
    size + sizeOf(commit.entries) <= LARGEST_TAIL &&
    steadyPart(commit.head) === steadyPart(head)
  );
}

function steadyPart(head: RunHead): string {
  return JSON.stringify({ ...head, updatedAt: 0, revision: 0, entries: 0, ...(head.sealed && { sealed: 0 }) });
}

/** The record of a commit that joins the tail. */
export function tailRecord({ head: before }: StoredRun, { head, entries, checkpoints = [] }: Commit): CommitRecord {
  const rows = checkpoints.map((row) => shortRow(row, head));
  const record = [head.entries - entries.length, entries, head.updatedAt - before.updatedAt] as const;
  if (head.sealed) return [...record, rows, head.sealed];
  return rows.length > 0 ? [...record, rows] : record;
}

/** The run after a commit that joined the tail. */
export function withTail(run: StoredRun, { head, entries, checkpoints = [] }: Commit): StoredRun {
  return { ...run, head, rows: [...run.rows, ...checkpoints], size: run.size + sizeOf(entries) };
}

function sizeOf(entries: readonly string[]): number {
  return entries.reduce((sum, entry) => sum + entry.length, 0);
}

/** The run after a commit that left no tail. */
export function withoutTail(head: RunHead, about: Pick<StoredRun, "number" | "writer">): StoredRun {
  return { head, number: about.number, writer: about.writer, folded: head.revision, rows: [], size: 0 };
}

/**
 * Reads the state of a run, in a transaction on `heads` and `journal`: its head, brought up to the end of the tail. Throws `STORE_DATA_CORRUPT` if either is
 * damaged.
 */
export async function readStored(transaction: Reading, run: string): Promise<StoredRun | undefined> {
  const record = await transaction.objectStore("heads").get(run);
  if (record === undefined) return undefined;
  const { number, writer, ...folded } = record;
  const { id, revision, status, entries, createdAt, pauses } = folded;
  if (id !== run || !status || !Array.isArray(pauses) || !(number > 0 && revision > 0 && entries >= 0 && createdAt !== undefined))
    throw damaged(run, "The head");
  let stored = withoutTail(folded, { number, writer });
  if (status !== "running") return stored;
  const tail = await transaction
    .objectStore("journal")
    .getAll(IDBKeyRange.bound([number, revision + 1], [number, revision + LONGEST_TAIL]));
  for (const commit of tail) {
    if (!isCommit(commit) || commit[2] === undefined || commit[0] !== stored.head.entries)
      throw damaged(run, `Entry ${stored.head.entries}`);
    stored = withRecord(stored, commit);
  }
  return stored;
}

/** Whether what stands in a journal is a commit. */
export function isCommit(record: CommitRecord | null | undefined): record is CommitRecord {
  return Array.isArray(record) && Array.isArray(record[1]);
}

function withRecord(run: StoredRun, [first, entries, later = 0, rows = [], sealed]: CommitRecord): StoredRun {
  const { head: before } = run;
  const head = {
    ...before,
    revision: before.revision + 1,
    updatedAt: before.updatedAt + later,
    entries: first + entries.length,
    ...(sealed && { sealed }),
  };
  return { ...run, head, rows: [...run.rows, ...rows.map((row) => longRow(row, head))], size: run.size + sizeOf(entries) };
}
