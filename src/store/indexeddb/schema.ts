import type { DBSchema, IDBPDatabase } from "idb";
import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";

/** Version of the database's form. */
export const VERSION = 1;

/** What the database holds. */
export interface Schema extends DBSchema {
  /** By run. `by` names the commit, so that a writer which lost the acknowledgement knows its own. */
  heads: { key: string; value: { readonly head: RunHead; readonly by: string } };
  /** Runs in the order of their creation. Written once a run, so that a commit has no index to keep. */
  created: { key: [createdAt: number, run: string]; value: 1 };
  /** By run and the number of the first entry: one entry, or those of one commit. */
  journal: { key: [run: string, first: number]; value: string | readonly string[] };
  rows: {
    key: [run: string, createdAt: number, number: number, kind: string];
    value: CheckpointRow;
    indexes: { newest: [number, string, number, string] };
  };
  blobs: { key: string; value: string };
}

/** Makes the object stores of a new database. */
export function createStores(database: IDBPDatabase<Schema>): void {
  database.createObjectStore("heads");
  database.createObjectStore("created");
  database.createObjectStore("journal");
  database
    .createObjectStore("rows", { keyPath: ["run", "createdAt", "number", "kind"] })
    .createIndex("newest", ["createdAt", "run", "number", "kind"]);
  database.createObjectStore("blobs");
}

/** All keys that begin with the run: a list sorts behind every number and text. */
export function keysOfRun(run: string): IDBKeyRange {
  return IDBKeyRange.bound([run], [run, []]);
}
