import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { Base, BlobContent } from "../../core/ports/store.ts";

/** Version of the database's form. */
export const VERSION = 2;

/** One commit, as the journal keeps it. */
export interface CommitRecord {
  /** The number of its first entry, or of the next one if it has none. */
  readonly first: number;
  readonly entries: readonly string[];
  /** Names the commit, so that a writer which lost the acknowledgement knows its own. */
  readonly by: string;
  /** Only in the tail of a journal: what the commit would have changed in `heads` and `rows`. */
  readonly at?: number;
  readonly rows?: readonly CheckpointRow[];
  readonly sealed?: string;
}

/** What stands for the beginning of a journal. */
export interface BaseRecord extends Base {
  /** The first commit whose record is still there: it holds the entry behind the base, or is the last one. */
  readonly revision: number;
}

/** What the database holds: its object stores, with their keys, values and indexes. */
export interface Schema extends DBSchema {
  /** By run: the head as it stood before the tail of the journal. */
  heads: { key: string; value: RunHead };
  /** Runs in the order of their creation. */
  created: { key: [createdAt: number, run: string]; value: 1 };
  /** Commits by run and revision. Nothing under a key keeps a writer away that does not know that its run was deleted. */
  journal: { key: [run: string, revision: number]; value: CommitRecord | null };
  /** Revisions whose writer was not the one of the revision before. */
  takeovers: { key: [run: string, revision: number]; value: 1 };
  /** Rows of the checkpoint index; those of a journal's tail are still to come. */
  rows: {
    key: [run: string, createdAt: number, number: number, kind: string];
    value: CheckpointRow;
    indexes: { newest: [createdAt: number, run: string, number: number, kind: string] };
  };
  /** Runs whose journal may have a tail. */
  tails: { key: string; value: 1 };
  blobs: { key: string; value: BlobContent };
  /** When blobs were last kept; nothing is known of those that the first form of the database held. */
  kept: { key: string; value: number };
  bases: { key: string; value: BaseRecord };
  notes: { key: [run: string, key: string]; value: string };
  /** `id`: which database this is, so that one that was lost and made anew is told from it. */
  meta: { key: string; value: string };
}

/** An open connection. */
export type Database = IDBPDatabase<Schema>;

/** Of a transaction on some of the object stores, what reads them. */
export type Reading = Pick<IDBPTransaction<Schema, StoreNames<Schema>[], IDBTransactionMode>, "objectStore">;

/** Of a transaction on some of the object stores, what reads and writes them. */
export type Writing = Pick<IDBPTransaction<Schema, StoreNames<Schema>[], "readwrite">, "objectStore">;

/** Brings a new database, or one of the first form, to the present form. */
export function upgradeStores(database: Database, oldVersion: number): void {
  if (oldVersion < 1) {
    for (const name of ["heads", "created", "journal", "takeovers", "tails", "blobs"] as const) database.createObjectStore(name);
    database
      .createObjectStore("rows", { keyPath: ["run", "createdAt", "number", "kind"] })
      .createIndex("newest", ["createdAt", "run", "number", "kind"]);
  }
  for (const name of ["kept", "bases", "notes"] as const) database.createObjectStore(name);
  const named = database.createObjectStore("meta").put(randomName(), "id");
  // Where this fails, so does opening the database.
  named.catch(() => {});
}

/** All keys that begin with the run: a list sorts behind every number and text. */
export function keysOfRun(run: string): IDBKeyRange {
  return IDBKeyRange.bound([run], [run, []]);
}

/** A name that nobody else has: of a database, of a store. */
export function randomName(): string {
  return Math.random().toString(36).slice(2, 12) + Date.now().toString(36);
}
