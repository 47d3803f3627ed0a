import { expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { CANARY, leaksIn } from "./canary.ts";
import { goThroughKeys, keyedExecutor, sentKeys } from "./keyed-canary.ts";
import { leakyBlocks, leakyWorkflow } from "./spill.ts";

const NAME = "secrets-in-database";

function request<Result>(asked: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    asked.addEventListener("success", () => resolve(asked.result));
    asked.addEventListener("error", () => reject(asked.error as Error));
  });
}

/** All keys and values of every database whose name begins with ours. */
async function readAll(prefix = NAME): Promise<string> {
  const found: unknown[] = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name?.includes(prefix)) continue;
    const database = await request(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const records = database.transaction(store).objectStore(store);
      found.push(await request(records.getAllKeys()), await request(records.getAll()));
    }
    database.close();
  }
  return JSON.stringify(found, (_, member: unknown) => (ArrayBuffer.isView(member) ? new TextDecoder().decode(member) : member));
}

test("S10: no record of the IndexedDB store holds a secret, as it is or in an encoding that is searched for", async () => {
  const store = indexedDbStore({ name: NAME });
  const executor = createExecutor({ store, blocks: leakyBlocks, secrets: () => CANARY });
  for (const { type } of leakyBlocks) {
    const run = await executor.start(leakyWorkflow(type));
    const result = await run.settled();
    if (result.status === "paused") await run.answer(result.pauses[0]!.id, CANARY);
  }
  await executor.close();
  await store.close();
  const records = await readAll();
  expect(records.split("***").length).toBeGreaterThan(100);
  expect(leaksIn(records)).toEqual([]);
  expect(records.includes("kanarie")).toBe(false);
});

test("no record holds what stands under a secret key, and another executor goes on without it", async () => {
  const name = "secret-keys-in-database";
  const store = indexedDbStore({ name });
  const dying = keyedExecutor(store);
  const id = await goThroughKeys(dying);
  expect(sentKeys).toEqual([{ token: CANARY, key: CANARY, note: `with ${CANARY}` }]);
  await dying.close();
  await store.close();

  const reopened = indexedDbStore({ name });
  const executor = keyedExecutor(reopened);
  const run = await executor.open(id);
  expect((await run.answer(run.getSnapshot().pauses[0]!.id, "yes")).status).toBe("success");
  await executor.close();
  await reopened.close();
  const records = await readAll(name);
  expect(records.split("***").length).toBeGreaterThan(5);
  expect(leaksIn(records)).toEqual([]);
  expect(records.includes("kanarie")).toBe(false);
});
