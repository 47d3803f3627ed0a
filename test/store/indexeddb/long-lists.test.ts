import { expect, test, vi } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { runWriter } from "wavepoint/testing";
import { clearDatabase } from "../../support/clear-database.ts";

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const MANY = 500;
const PAGE = 20;

test("the newest 20 of many runs are read from the newest on, and the others are not touched", async () => {
  const name = "long-lists";
  const store = indexedDbStore({ name });
  for (let number = 0; number < MANY; number += 1) {
    await runWriter(store, `run_${number}`).commit(["{}"], {
      head: { changedAt: 1_000 + number, status: "paused" },
      durability: "relaxed",
    });
  }
  const whole = [vi.spyOn(IDBObjectStore.prototype, "getAllKeys"), vi.spyOn(IDBObjectStore.prototype, "getAll")];
  const single = vi.spyOn(IDBObjectStore.prototype, "get");
  const { items, next } = await store.runs({ limit: PAGE });
  expect(items.map(({ id }) => id)).toEqual(Array.from({ length: PAGE }, (_, index) => `run_${MANY - 1 - index}`));
  expect(next).toBeDefined();
  const calls = single.mock.calls.length;
  const keysRead = await Promise.all(
    whole.flatMap(({ mock }) => mock.results.map(({ value }) => (value as { result: readonly unknown[] }).result.length)),
  );
  vi.restoreAllMocks();
  expect(keysRead.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(PAGE * 5);
  expect(calls).toBeLessThanOrEqual(PAGE * 5);
  const steps = vi.spyOn(IDBCursor.prototype, "continue");
  expect((await store.runs({ status: "failed" })).items).toEqual([]);
  expect((await store.runs({ workflow: "another", status: ["paused", "running"] })).items).toEqual([]);
  expect(steps.mock.calls.length, "runs that lists of nothing look at").toBe(0);
  vi.restoreAllMocks();
  await store.close();
  await clearDatabase(name);
}, 60_000);
