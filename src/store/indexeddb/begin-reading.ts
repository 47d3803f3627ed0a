import type { IDBPTransaction, StoreNames } from "idb";
import type { Database, Schema } from "./schema.ts";

/** Begins a transaction that reads. Of its failure the requests tell: nobody has to wait for its end. */
export function beginReading<const Names extends readonly StoreNames<Schema>[]>(
  database: Database,
  names: Names,
): IDBPTransaction<Schema, Names, "readonly"> {
  const transaction = database.transaction(names);
  transaction.done.catch(() => {});
  return transaction;
}
