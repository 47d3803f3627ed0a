import type { DBSchema, IDBPDatabase } from "idb";
import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";

/** Version of the database's form. */
export const VERSION = 1;

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
}

/** What the database holds. */
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
    indexes: { newest: [number, string, number, string] };
  };
  /** Runs whose journal may have a tail. */
  tails: { key: string; value: 1 };
  blobs: { key: string; value: string };
}

/** Makes the object stores of a new database. */
export function createStores(database: IDBPDatabase<Schema>): void {
  for (const name of ["heads", "created", "journal", "takeovers", "tails", "blobs"] as const) database.createObjectStore(name);
  database
    .createObjectStore("rows", { keyPath: ["run", "createdAt", "number", "kind"] })
    .createIndex("newest", ["createdAt", "run", "number", "kind"]);
}

/** All keys that begin with the run: a list sorts behind every number and text. */
export function keysOfRun(run: string): IDBKeyRange {
  return IDBKeyRange.bound([run], [run, []]);
}
