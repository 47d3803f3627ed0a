import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sqliteStore, type SqliteDatabase } from "wavepoint/store/sqlite";
import { runWriter, storeConformance } from "wavepoint/testing";
import { LEASE_MS, sqlitePlace } from "./sqlite-places.ts";

type Database = new (path: string) => SqliteDatabase & { close(): void };

/** Packages beside `libsql`, which is always tried: `better-sqlite3` is there where the benchmarks have been installed, `node:sqlite` from Node 22 on. */
const PACKAGES = [
  ["better-sqlite3", (loaded: unknown) => loaded as Database],
  ["node:sqlite", (loaded: unknown) => (loaded as { readonly DatabaseSync: Database }).DatabaseSync],
] as const;

const require = createRequire(import.meta.url);

function find(name: string): unknown {
  try {
    return require(require.resolve(name, { paths: [".", fileURLToPath(new URL("../../bench", import.meta.url))] }));
  } catch (error) {
    if (/MODULE_NOT_FOUND|ERR_UNKNOWN_BUILTIN_MODULE/.test(String((error as { readonly code?: string }).code))) return undefined;
    throw error;
  }
}

describe.each(PACKAGES)("%s", (name, databaseOf) => {
  const loaded = find(name);
  const open = (path: string) => new (databaseOf(loaded))(path);

  describe.skipIf(loaded === undefined)("as the connection of a SQLite store", () => {
    const cases = storeConformance(async () => sqlitePlace(open), { leaseMs: LEASE_MS });
    for (const { name: title, run } of cases) test(title, run, 60_000);

    test("a full database has the code of the port, and keeps what was there", async () => {
      const database = open(":memory:");
      const store = sqliteStore(database);
      const writer = runWriter(store, "run_a");
      await writer.commit(["{}"]);
      database.prepare("pragma max_page_count = 40").all();
      await expect(writer.commit(["x".repeat(1_000_000)])).rejects.toMatchObject({ code: "STORE_QUOTA" });
      expect(await store.read("run_a")).toEqual(["{}"]);
      await store.close();
      database.close();
    });
  });
});
