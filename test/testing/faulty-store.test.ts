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

test("what fails forever never happens again", async () => {
  const store = faultyStore(memoryStore(), failAt(1, { times: "forever", when: "after" }));
  await expect(store.putBlob("a", "first")).rejects.toMatchObject({ code: "STORE_FAILED" });
  await expect(store.putBlob("b", "second")).rejects.toMatchObject({ code: "STORE_FAILED" });
  await expect(store.delete("run_a")).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect([await store.getBlob("a"), await store.getBlob("b")]).toEqual(["first", undefined]);
});

test("a read that is planned to fail does, and writes go through", async () => {
  const store = faultyStore(memoryStore(), failAt(2, { calls: "reads", times: "forever", code: "STORE_LOST" }));
  await runWriter(store, "run_a").commit(["1"]);
  expect(await store.read("run_a")).toEqual(["1"]);
  const reads = [
    () => store.head("run_a"),
    () => store.read("run_a"),
    () => store.runs(),
    () => store.checkpoints(),
    () => store.getBlob("a"),
    () => store.notes("run_a"),
    () => store.usage(),
  ];
  for (const read of reads) await expect(read(), String(read)).rejects.toMatchObject({ code: "STORE_LOST" });
  await store.putNote("run_a", "draft.0", "typed");
  await store.putBlob("a", "blob");
  expect([store.writes, store.reads]).toEqual([3, 8]);
});

test("once it is mended nothing fails any more", async () => {
  const store = faultyStore(memoryStore(), failAt(1, { times: "forever", code: "STORE_QUOTA" }));
  const writer = runWriter(store, "run_a");
  await expect(writer.commit(["1"])).rejects.toMatchObject({ code: "STORE_QUOTA" });
  await expect(store.sweepBlobs(new Set(), 0)).rejects.toMatchObject({ code: "STORE_QUOTA" });
  store.mend();
  await writer.commit(["1"]);
  expect(await store.read("run_a")).toEqual(["1"]);
});
