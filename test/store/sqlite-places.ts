import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "wavepoint";
import { sqliteStore, type SqliteDatabase } from "wavepoint/store/sqlite";
import type { StorePlace } from "wavepoint/testing";

export const LEASE_MS = 3_000;

/** A new file for the suite of stores, opened by one of the packages that open SQLite files, with what makes its stores freeze. */
export function sqlitePlace(open: (path: string) => SqliteDatabase & { close(): void }): StorePlace & { readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  const path = join(directory, "runs.db");
  const databases: { close(): void }[] = [];
  const frozen = new Set<Store>();
  return {
    path,
    async open() {
      const database = open(path);
      databases.push(database);
      const store: Store = sqliteStore(
        {
          prepare(sql) {
            const statement = database.prepare(sql);
            // A process that is frozen reaches no database.
            const reached = <T>(give: () => T): T => {
              if (frozen.has(store)) throw Object.assign(new Error("frozen"), { code: "SQLITE_BUSY" });
              return give();
            };
            return {
              run: (...values) => reached(() => statement.run(...values)),
              all: (...values) => reached(() => statement.all(...values)),
            };
          },
        },
        { leaseMs: LEASE_MS },
      );
      return store;
    },
    async freeze(store) {
      frozen.add(store);
      return () => void frozen.delete(store);
    },
    async dispose() {
      for (const database of databases) database.close();
      rmSync(directory, { recursive: true });
    },
  };
}
