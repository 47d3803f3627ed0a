import { expect, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore, runWriter } from "wavepoint/testing";

test("a write that fails before leaves nothing, and the next one goes through", async () => {
  const store = faultyStore(memoryStore(), failAt(2));
  const writer = runWriter(store, "run_a");
  await writer.commit(["1"]);
  await expect(writer.commit(["2"])).rejects.toMatchObject({ code: "STORE_FAILED" });
  await writer.commit(["3"]);
  expect(await store.read("run_a")).toEqual(["1", "3"]);
  expect(store.writes).toBe(3);
});

test("a write that fails after is there, though it was never acknowledged", async () => {
  const store = faultyStore(memoryStore(), failAt(1, { when: "after", code: "STORE_LOST" }));
  await expect(runWriter(store, "run_a").commit(["1"])).rejects.toMatchObject({ code: "STORE_LOST" });
  expect(await store.read("run_a")).toEqual(["1"]);
});

test("what fails for ever never happens again", async () => {
  const store = faultyStore(memoryStore(), failAt(1, { times: "forever", when: "after" }));
  await expect(store.putBlob("a", "first")).rejects.toMatchObject({ code: "STORE_FAILED" });
  await expect(store.putBlob("b", "second")).rejects.toMatchObject({ code: "STORE_FAILED" });
  await expect(store.delete("run_a")).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect([await store.getBlob("a"), await store.getBlob("b")]).toEqual(["first", undefined]);
});
