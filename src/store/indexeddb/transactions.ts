import type { IDBPTransaction, StoreNames } from "idb";
import type { Database, Schema } from "./schema.ts";

/** Object stores that hold something of runs. */
export const ALL_OF_RUNS = ["heads", "listed", "journal", "takeovers", "rows", "tails", "bases", "notes"] as const;

/** The writes of a transaction. */
export interface Changes {
  /** Adds a write that is only awaited at the end. */
  add(write: Promise<unknown>): void;
}

/**
 * Changes the database in one transaction. Resolves with the result of the call once the transaction is complete. If the call throws or a write fails,
 * nothing is changed.
 */
export async function change<const Names extends readonly StoreNames<Schema>[], T>(
  database: Database,
  names: Names,
  durability: IDBTransactionDurability,
  call: (transaction: IDBPTransaction<Schema, Names, "readwrite">, changes: Changes) => Promise<T>,
): Promise<T> {
  const transaction = database.transaction(names, "readwrite", { durability });
  // It, and a write, may fail while the call waits for something else.
  transaction.done.catch(() => {});
  const writes: Promise<unknown>[] = [];
  const changes: Changes = {
    add(write) {
      write.catch(() => {});
      writes.push(write);
    },
  };
  try {
    const given = await call(transaction, changes);
    // Let it commit by itself: after a call of `commit`, Firefox would keep the other writes if the failed one was not the last. Await in this order: the
    // transaction itself says less about a failed write.
    await Promise.all([...writes, transaction.done]);
    return given;
  } catch (error) {
    // A request of a transaction that failed otherwise, for want of room say, tells only that it was aborted.
    const reason = transaction.error ?? error;
    try {
      transaction.abort();
    } catch {
      // It is over already.
    }
    throw reason;
  }
}

/** Begins a transaction that reads. Its requests report its failure, so its end need not be awaited. */
export function beginReading<const Names extends readonly StoreNames<Schema>[]>(
  database: Database,
  names: Names,
): IDBPTransaction<Schema, Names, "readonly"> {
  const transaction = database.transaction(names);
  transaction.done.catch(() => {});
  return transaction;
}
