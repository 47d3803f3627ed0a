import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type { RunHead, RunStatus } from "../../core/model/run.ts";
import type { Base, BlobContent } from "../../core/ports/store.ts";
import type { ShortRow } from "../short-row.ts";

/** Version of the database's form. */
export const VERSION = 5;

/**
 * One commit, as the journal keeps it: the number of its first entry (of the next one if it has none) and its entries. In the tail of a journal, the changes
 * of `heads` and `rows` follow: by how much `updatedAt` grew, the rows, and the seal.
 */
export type CommitRecord = readonly [
  first: number,
  entries: readonly string[],
  later?: number,
  rows?: readonly ShortRow[],
  sealed?: string,
];

/** A head, with the number of the run in this database, and the store that wrote its last commit. */
export interface HeadRecord extends RunHead {
  readonly number: number;
  readonly writer: string;
}

/** Some rows of a run's checkpoint index, oldest first; each is written relative to the one before. */
export interface RowPack {
  readonly run: string;
  /** When the newest of its rows was made. */
  readonly newest: number;
  /** The commit that wrote it, and which of that commit's packs it is. */
  readonly revision: number;
  readonly part: number;
  readonly workflow: string;
  readonly entries: number;
  readonly rows: readonly ShortRow[];
}

/** What stands for the beginning of a journal. */
export interface BaseRecord extends Base {
  /** The first commit whose record is still there: it holds the entry behind the base, or is the last one. */
  readonly revision: number;
}

/** The values of a run by which lists find it. They change with what lists show, not with each step. */
export interface ListedRun {
  readonly id: string;
  readonly workflow: string;
  readonly status: RunStatus;
  readonly changedAt: number;
  /** Of the run in this database. */
  readonly number: number;
}

/** The {@link ListedRun} of a head. */
export function listedRun({ id, workflow, status, changedAt }: RunHead, number: number): ListedRun {
  return { id, workflow, status, changedAt, number };
}

/** Whether lists have another place for a run with this head than for the one before. */
export function isListedAnew(head: RunHead, before: RunHead | undefined): boolean {
  return before === undefined || JSON.stringify(listedRun(head, 0)) !== JSON.stringify(listedRun(before, 0));
}

/** What the database holds: its object stores, with their keys, values and indexes. */
export interface Schema extends DBSchema {
  /** By run: the head as it stood before the tail of the journal. */
  heads: { key: string; value: HeadRecord };
  /** By run: what lists look for. It stands apart from the heads, so that a damaged head is still listed as one. */
  listed: {
    key: string;
    value: ListedRun;
    indexes: {
      status: [status: RunStatus, changedAt: number, run: string];
      workflow: [workflow: string, status: RunStatus, changedAt: number, run: string];
    };
  };
  /**
   * Commits by the number of the run and revision. A number is shorter than an id, which each commit would repeat, and is never used again. An empty value
   * under a key stops a writer that does not know that its run was deleted.
   */
  journal: { key: [number: number, revision: number]; value: CommitRecord | null };
  /** Revisions whose writer was not that of the revision before, with the writer of the revision before. */
  takeovers: { key: [number: number, revision: number]; value: string };
  /** The checkpoint index; rows of a journal's tail are still to come. */
  rows: {
    key: [run: string, newest: number, revision: number, part: number];
    value: RowPack;
    indexes: { newest: [newest: number, run: string, revision: number, part: number] };
  };
  /** Runs whose journal may have a tail. */
  tails: { key: string; value: 1 };
  blobs: { key: string; value: BlobContent };
  /** When blobs were last kept. */
  kept: { key: string; value: number };
  bases: { key: string; value: BaseRecord };
  notes: { key: [run: string, key: string]; value: string };
  /** Outputs of blocks by their inputs, until an instant. */
  cache: { key: string; value: { readonly text: string; readonly until: number }; indexes: { until: number } };
  /** `id`: which database this is, so that a new database in place of a lost one is recognised. */
  meta: { key: string; value: string };
}

/** An open connection. */
export type Database = IDBPDatabase<Schema>;

/** Of a transaction on some of the object stores, what reads them. */
export type Reading = Pick<IDBPTransaction<Schema, StoreNames<Schema>[], IDBTransactionMode>, "objectStore">;

/** Of a transaction on some of the object stores, what reads and writes them. */
export type Writing = Pick<IDBPTransaction<Schema, StoreNames<Schema>[], "readwrite">, "objectStore">;

/** Makes the stores of a new database. One of a form from before the first release begins anew: its mark no longer fits, and pages get to know. */
export function makeStores(database: Database): void {
  for (const name of database.objectStoreNames) database.deleteObjectStore(name);
  const named = ["heads", "journal", "takeovers", "tails", "blobs", "kept", "bases", "notes"] as const;
  for (const name of named) database.createObjectStore(name);
  database
    .createObjectStore("rows", { keyPath: ["run", "newest", "revision", "part"] })
    .createIndex("newest", ["newest", "run", "revision", "part"]);
  database.createObjectStore("cache").createIndex("until", "until");
  const listed = database.createObjectStore("listed", { keyPath: "id" });
  listed.createIndex("status", ["status", "changedAt", "id"]);
  listed.createIndex("workflow", ["workflow", "status", "changedAt", "id"]);
  // Where this fails, so does opening the database.
  database
    .createObjectStore("meta")
    .put(randomName(), "id")
    .catch(() => {});
}

/** All keys that begin with a run, or its number: a list sorts behind every number and text. */
export function keysOf(run: string | number): IDBKeyRange {
  return IDBKeyRange.bound([run], [run, []]);
}

/** A unique name: of a database, of a store. */
export function randomName(): string {
  return Math.random().toString(36).slice(2, 12) + Date.now().toString(36);
}
