import type { IDBPTransaction, StoreNames } from "idb";
import type { Database, Schema } from "./schema.ts";

/** Begins a transaction that reads. Its requests report its failure, so its end need not be awaited. */
export function beginReading<const Names extends readonly StoreNames<Schema>[]>(
  database: Database,
  names: Names,
): IDBPTransaction<Schema, Names, "readonly"> {
  const transaction = database.transaction(names);
  transaction.done.catch(() => {});
  return transaction;
}
