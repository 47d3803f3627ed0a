import { deleteDB, openDB, type IDBPDatabase } from "idb";
import { bytesFrom } from "./golden-runs.ts";

/** A database as it is, table by table. */
export interface GoldenDatabase {
  readonly version: number;
  readonly tables: readonly GoldenTable[];
}

interface GoldenTable {
  readonly name: string;
  readonly keyPath?: string | readonly string[];
  readonly indexes: readonly { readonly name: string; readonly keyPath: string | readonly string[] }[];
  readonly rows: readonly { readonly key: unknown; readonly value: unknown }[];
}

/** Reads everything in a database. */
export async function dumpDatabase(name: string): Promise<GoldenDatabase> {
  const database = await openDB(name);
  const tables = await Promise.all([...database.objectStoreNames].map((table) => dumpTable(database, table)));
  const { version } = database;
  database.close();
  return { version, tables };
}

async function dumpTable(database: IDBPDatabase, name: string): Promise<GoldenTable> {
  const { store } = database.transaction(name);
  const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
  const keyPath = store.keyPath as string | readonly string[] | null;
  const indexes = [...store.indexNames].map((index) => ({
    name: index,
    keyPath: store.index(index).keyPath as string | readonly string[],
  }));
  const rows = keys.map((key, i) => ({
    key,
    value: values[i] instanceof Uint8Array ? { base64: base64Of(values[i]) } : (values[i] as unknown),
  }));
  return { name, ...(keyPath === null ? {} : { keyPath }), indexes, rows };
}

function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Makes a database anew, as it was. */
export async function restoreDatabase(name: string, { version, tables }: GoldenDatabase): Promise<void> {
  await deleteDB(name);
  const database = await openDB(name, version, {
    upgrade(made) {
      for (const { name: table, keyPath, indexes } of tables) {
        const store = made.createObjectStore(table, keyPath === undefined ? {} : { keyPath: keyPath as string | string[] });
        for (const index of indexes) store.createIndex(index.name, index.keyPath as string | string[]);
      }
    },
  });
  for (const { name: table, keyPath, rows } of tables) {
    const transaction = database.transaction(table, "readwrite");
    for (const { key, value } of rows) void transaction.store.put(valueOf(value), keyPath === undefined ? (key as IDBValidKey) : undefined);
    await transaction.done;
  }
  database.close();
}

function valueOf(value: unknown): unknown {
  const base64 = typeof value === "object" && value !== null && "base64" in value ? value.base64 : undefined;
  return typeof base64 === "string" ? bytesFrom(base64) : value;
}
