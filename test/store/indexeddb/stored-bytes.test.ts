import { openDB } from "idb";
import { afterEach, expect, test } from "vitest";
import { createExecutor, defineBlock, success } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../../support/clear-database.ts";

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const name = "stored-bytes";
const STEPS = 300;
const PAYLOAD = "x".repeat(1_000);

afterEach(() => clearDatabase(name));

/** Characters of the keys and values of an object store, as JSON. */
async function sizes(): Promise<ReadonlyMap<string, number>> {
  const database = await openDB(name);
  const found = new Map<string, number>();
  for (const store of database.objectStoreNames) {
    const [keys, values] = await Promise.all([database.getAllKeys(store), database.getAll(store)]);
    found.set(
      store,
      keys.reduce<number>((sum, key, i) => sum + JSON.stringify([key, values[i] as unknown]).length, 0),
    );
  }
  database.close();
  return found;
}

test("what is kept of a run is hardly more than what its steps gave, with a checkpoint after each", async () => {
  const block = defineBlock({ type: "Payload", execute: async () => success({ data: PAYLOAD }) });
  const blocks = Array.from({ length: STEPS }, (_, i) => ({
    id: `step_${i}`,
    type: "Payload",
    ...(i > 0 && { dependsOn: [`step_${i - 1}`] }),
  }));
  const store = indexedDbStore({ name });
  const executor = createExecutor({ store, blocks: [block], workflows: [{ name: "chain", blocks }], policy: { durability: "sync" } });
  const run = await executor.start("chain", {});
  expect((await run.settled()).status).toBe("success");
  expect((await store.checkpoints({ run: run.id, limit: 1_000 })).items).toHaveLength(STEPS);
  await executor.close();
  const found = await sizes();
  const definition = found.get("blobs")!;
  const all = [...found.values()].reduce((sum, size) => sum + size, 0);
  expect(found.get("journal")).toBeGreaterThan(STEPS * PAYLOAD.length);
  expect((all - definition) / (STEPS * PAYLOAD.length)).toBeLessThan(1.14);
});
