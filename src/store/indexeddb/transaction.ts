import type { IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type { Schema } from "./schema.ts";

/**
 * Begins a transaction of whose failure the requests tell, and `done`, if somebody waits for it: nobody has to, or the page would be told of
 * an error that nobody caught.
 */
export function begin<Names extends readonly StoreNames<Schema>[], Mode extends "readonly" | "readwrite">(
  database: IDBPDatabase<Schema>,
  names: Names,
  mode: Mode,
  durability: "strict" | "relaxed" | "default" = "default",
): IDBPTransaction<Schema, [...Names], Mode> {
  const transaction = database.transaction([...names] as [...Names], mode, { durability });
  transaction.done.catch(() => {});
  return transaction;
}
