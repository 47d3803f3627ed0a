import { describe, expect, test } from "vitest";
import {
  copyStore,
  transferRun,
  createExecutor,
  defineBlock,
  success,
  type BlobContent,
  type CopyProgress,
  type Store,
  type Workflow,
} from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";

const big = defineBlock({ type: "Big", execute: () => success({ bytes: new Uint8Array(1_100_000) }) });
const trip: Workflow = {
  name: "trip",
  blocks: [
    { id: "where", type: "GetInput", inputs: { prompt: "Where to?" } },
    { id: "when", type: "GetInput", dependsOn: ["where"], inputs: { prompt: "When?" } },
  ],
  outputs: { where: "${blocks.where.input_value}" },
};
const outer: Workflow = {
  name: "outer",
  blocks: [
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "trip" } },
    { id: "big", type: "Big" },
  ],
};

function executorOf(store: Store, retention: "full" | "latest" = "full") {
  return createExecutor({ store, host: fakeHost(), workflows: [trip, outer], blocks: [big], policy: { retention } });
}

/** A store with a run that has a draft, one that called another and holds a blob, and one that has ended. */
async function filled(): Promise<Store> {
  const store = memoryStore();
  const executor = executorOf(store);
  const run = await executor.start("trip", {}, { id: "draft" });
  await run.settled();
  await run.answer("pause_draft.0", "Rome");
  await run.saveDraft("pause_draft.1", "in Ma");
  await (await executor.start("outer", {}, { id: "outer" })).settled();
  const done = await executor.start("trip", {}, { id: "done" });
  await done.settled();
  await done.answer({ "pause_done.0": "Oslo" });
  await done.answer({ "pause_done.1": "soon" });
  const fork = await executor.fork("chk_done.0");
  await fork.settled();
  await executor.close();
  return store;
}

/** Comparing a million bytes one by one takes seconds. */
function lookOf(content: BlobContent | undefined): unknown {
  return typeof content === "object" ? { length: content.length, sum: content.reduce((sum, byte) => sum + byte, 0) } : content;
}

/** All that a store holds, without what each counts for itself. */
async function contentsOf(store: Store) {
  const { items } = await store.runs();
  return Promise.all(
    items
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(async (head) => ({
        head: { ...head, revision: 0 },
        entries: await store.read(head.id),
        checkpoints: (await store.checkpoints({ run: head.id })).items,
        notes: await store.notes(head.id),
        blobs: await Promise.all([head.definition, ...(head.blobs ?? [])].map(async (hash) => lookOf(await store.getBlob(hash)))),
      })),
  );
}

describe("a copied store", () => {
  test("holds the same, and its runs go on there", async () => {
    const [from, to] = [await filled(), memoryStore()];
    const told: CopyProgress[] = [];
    expect(await copyStore(from, to, { onProgress: (one) => told.push(one) })).toEqual({ copied: 5, unchanged: 0, failed: [] });
    expect(told.at(-1)).toEqual({ total: 5, copied: 5, unchanged: 0, failed: 0 });
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
    const executor = executorOf(to);
    const run = await executor.open("draft");
    expect(run.getSnapshot().pauses).toMatchObject([{ id: "pause_draft.1", draft: "in Ma" }]);
    expect(await run.answer("pause_draft.1", "in May")).toMatchObject({ status: "success", outputs: { where: "Rome" } });
    const [asked] = (await executor.open("outer")).getSnapshot().pauses;
    expect(await executor.answer(asked!.id, "Bern")).toMatchObject({ status: "paused" });
  });

  test("is copied once: called again only what changed goes", async () => {
    const [from, to] = [await filled(), memoryStore()];
    await copyStore(from, to);
    expect(await copyStore(from, to)).toEqual({ copied: 0, unchanged: 5, failed: [] });
    const executor = executorOf(from);
    const run = await executor.open("draft");
    await run.saveDraft("pause_draft.1", "in June");
    expect(await copyStore(from, to)).toMatchObject({ copied: 1, unchanged: 4 });
    await run.answer("pause_draft.1", "in July");
    await executor.checkpoints.delete("chk_draft.0");
    await (await executor.start("trip", {}, { id: "new" })).settled();
    expect(await copyStore(from, to)).toMatchObject({ copied: 2, unchanged: 4 });
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
  });

  test("takes runs whose beginning was let go", async () => {
    const [from, to] = [memoryStore(), memoryStore()];
    const executor = executorOf(from, "latest");
    const run = await executor.start("trip", {}, { id: "short" });
    await run.settled();
    await copyStore(from, to);
    await run.answer("pause_short.0", "Rome");
    await copyStore(from, to);
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
    expect(await executorOf(to).answer("pause_short.1", "now")).toMatchObject({ outputs: { where: "Rome" } });
  });

  test("is whole after a crash at any write and a second call; what is there by then is whole too", async () => {
    const from = await filled();
    const counted = faultyStore(memoryStore());
    await copyStore(from, counted);
    expect(counted.writes).toBeGreaterThan(8);
    const whole = await contentsOf(from);
    for (let k = 1; k <= counted.writes; k++) {
      for (const when of ["before", "after"] as const) {
        const inside = memoryStore();
        await expect(copyStore(from, faultyStore(inside, failAt(k, { times: "forever", when })))).rejects.toMatchObject({
          code: "STORE_FAILED",
        });
        for (const { head, entries, checkpoints } of await contentsOf(inside)) {
          const source = whole.find((one) => one.head.id === head.id)!;
          expect({ entries, checkpoints }).toEqual({ entries: source.entries, checkpoints: source.checkpoints });
        }
        expect((await copyStore(from, inside)).failed).toEqual([]);
        expect(await contentsOf(inside)).toEqual(whole);
      }
    }
  });

  test("keeps what went on there by itself, and says so", async () => {
    const [from, to] = [await filled(), memoryStore()];
    await copyStore(from, to);
    await executorOf(to).answer("pause_draft.1", "there");
    await executorOf(from).answer("pause_draft.1", "here");
    const before = await to.read("run_draft");
    const report = await copyStore(from, to);
    expect(report).toMatchObject({ copied: 0, unchanged: 4, failed: [{ run: "run_draft", error: { code: "RUN_EXISTS" } }] });
    expect(await to.read("run_draft")).toEqual(before);
  });

  test("leaves what was handed over and went on there", async () => {
    const [from, to] = [await filled(), memoryStore()];
    await transferRun("draft", { from: executorOf(from), to: executorOf(to), place: "the second store" });
    await executorOf(to).answer("pause_draft.1", "there");
    const before = await to.read("run_draft");
    expect(await copyStore(from, to)).toEqual({ copied: 4, unchanged: 1, failed: [] });
    // The draft that the run left behind is none of an open question any more.
    expect([await to.read("run_draft"), await to.notes("run_draft", "draft.")]).toEqual([before, []]);
  });

  test("names a run that cannot be read, and takes the others", async () => {
    const from = await filled();
    const broken: Store = {
      ...from,
      getBlob: async (hash) => (hash === (await from.head("run_outer"))!.definition ? undefined : from.getBlob(hash)),
    };
    const report = await copyStore(broken, memoryStore());
    expect(report).toMatchObject({ copied: 4, failed: [{ run: "run_outer", error: { code: "RUN_CORRUPT" } }] });
  });

  test("ends after the run under way when the caller aborts", async () => {
    const ending = new AbortController();
    const copying = copyStore(await filled(), memoryStore(), { signal: ending.signal, onProgress: () => ending.abort() });
    await expect(copying).rejects.toMatchObject({ code: "ABORTED", details: { copied: 1, total: 5 } });
  });
});

describe("an encrypted store", () => {
  const secret = (byte: number) => ({ key: new Uint8Array(32).fill(byte) });

  test("is copied into another one under its own key, and back", async () => {
    const from = await filled();
    const sealed = memoryStore();
    await copyStore(from, await encryptedStore(sealed, secret(1)));
    expect(JSON.stringify(await sealed.read("run_done"))).not.toContain("Oslo");
    const other = memoryStore();
    const opened = await encryptedStore(sealed, secret(1));
    await copyStore(opened, await encryptedStore(other, secret(2)));
    const back = memoryStore();
    await copyStore(await encryptedStore(other, secret(2)), back);
    expect(await contentsOf(back)).toEqual(await contentsOf(from));
  });

  test("is refused without its key", async () => {
    const sealed = memoryStore();
    await copyStore(await filled(), await encryptedStore(sealed, secret(1)));
    const to = memoryStore();
    await expect(copyStore(sealed, to)).rejects.toMatchObject({ code: "STORE_KEY_WRONG" });
    expect((await to.runs()).items).toEqual([]);
  });
});
