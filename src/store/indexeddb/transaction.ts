import type { Schema, TableName } from "./schema.ts";

/** An object store of a transaction, with the types of what it holds. What a write comes to is told by the transaction. */
export interface Table<Name extends TableName> {
  get(key: Schema[Name]["key"]): IDBRequest<Schema[Name]["value"] | undefined>;
  getKey(key: Schema[Name]["key"]): IDBRequest<Schema[Name]["key"] | undefined>;
  getAll(keys?: IDBKeyRange, count?: number): IDBRequest<Schema[Name]["value"][]>;
  getAllKeys(keys?: IDBKeyRange): IDBRequest<Schema[Name]["key"][]>;
  count(): IDBRequest<number>;
  put(value: Schema[Name]["value"], key?: Schema[Name]["key"]): unknown;
  add(value: Schema[Name]["value"], key?: Schema[Name]["key"]): unknown;
  delete(keys: Schema[Name]["key"] | IDBKeyRange): unknown;
}

/** A transaction on the database. */
export interface Transaction {
  readonly raw: IDBTransaction;
  table<Name extends TableName>(name: Name): Table<Name>;
  /** Sends all that was asked for, and resolves with the transaction's `complete`. */
  commit(): Promise<void>;
  /** Takes everything back. Does nothing where the transaction is over. */
  abort(): void;
}

/** Begins a transaction; it ends by itself once nothing more is asked of it. */
export function begin(
  database: IDBDatabase,
  names: readonly TableName[],
  mode: IDBTransactionMode = "readonly",
  durability: IDBTransactionDurability = "default",
): Transaction {
  const raw = database.transaction(names, mode, { durability });
  const completed = new Promise<void>((resolve, reject) => {
    raw.addEventListener("complete", () => resolve());
    raw.addEventListener("abort", () => reject(raw.error ?? new DOMException("The transaction was aborted.", "AbortError")));
  });
  // Of a failure the requests tell too; nobody has to wait for the end.
  completed.catch(() => {});
  return {
    raw,
    table: <Name extends TableName>(name: Name) => raw.objectStore(name) as unknown as Table<Name>,
    commit() {
      raw.commit();
      return completed;
    },
    abort() {
      try {
        raw.abort();
      } catch {
        // It is over already.
      }
    },
  };
}

/** What a request comes to; of a cursor, each time it was told to go on. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Once: a cursor succeeds with every step, and nobody waits for the steps before.
    request.addEventListener("success", () => resolve(request.result), { once: true });
    request.addEventListener("error", () => reject(request.error!), { once: true });
  });
}
