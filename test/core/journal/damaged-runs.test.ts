import { expect, test } from "vitest";
import { createExecutor, type Store, type Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";

const ask: Workflow = { name: "ask", blocks: [{ id: "go", type: "ConfirmOperation", inputs: { message: "Go?" } }] };
const twice: Workflow = {
  name: "twice",
  blocks: ["one", "two"].map((id) => ({ id, type: "ExecuteWorkflow", inputs: { workflow: "ask" } })),
};

/** The store as it is once the journals of some runs are damaged. */
function damage(store: Store, isHurt: (run: string) => boolean): Store {
  const hurt = (text: string): string => text.replace("paused", "pawsed");
  return { ...store, read: async (run, range) => (isHurt(run) ? (await store.read(run, range)).map(hurt) : store.read(run, range)) };
}

test("a run that cannot be read any more can be deleted, with all it called, and taken in again from a copy", async () => {
  const store = memoryStore();
  const executor = createExecutor({ store, workflows: [ask, twice] });
  const run = await executor.start("twice");
  await run.settled();
  const other = await executor.start("ask");
  await other.settled();
  const copy = await executor.runs.export(run.id);
  const hurt = damage(store, (id) => id === run.id);
  const later = createExecutor({ store: hurt, workflows: [ask, twice] });
  await expect(later.runs.import(copy)).rejects.toMatchObject({ code: "RUN_CORRUPT" });
  const release = (await store.claim((await later.runs.list()).items.find(({ parent }) => parent)!.id))!;
  await expect(later.runs.delete(run.id)).rejects.toMatchObject({ code: "RUN_ACTIVE" });
  expect((await later.runs.list()).items).toHaveLength(4);
  await release();
  await later.runs.delete(run.id);
  expect((await later.runs.list()).items.map(({ id }) => id)).toEqual([other.id]);
  expect((await createExecutor({ store, workflows: [ask, twice] }).runs.import(copy)).getSnapshot().pauses).toHaveLength(2);
});

test("so can one that called a run which cannot be read", async () => {
  const store = memoryStore();
  const executor = createExecutor({ store, workflows: [ask, twice] });
  const run = await executor.start("twice");
  await run.settled();
  const later = createExecutor({ store: damage(store, (id) => id !== run.id), workflows: [ask, twice] });
  await later.runs.delete(run.id);
  expect((await store.runs()).items).toEqual([]);
});

test("so can one that was tampered with in an encrypted store", async () => {
  const inside = memoryStore();
  const store = await encryptedStore(inside, { key: new Uint8Array(32).fill(1) });
  const executor = createExecutor({ store, workflows: [ask] });
  const run = await executor.start("ask");
  await run.settled();
  const head = (await inside.head(run.id))!;
  const { revision, epoch } = head;
  const changed = { ...head, revision: revision + 1, updatedAt: 0 };
  await inside.commit({ run: run.id, expected: { revision, epoch }, head: changed, entries: [], durability: "strict" });
  const later = createExecutor({ store });
  await expect(later.open(run.id)).rejects.toMatchObject({ code: "STORE_TAMPERED" });
  await later.runs.delete(run.id);
  expect(await inside.head(run.id)).toBeUndefined();
});

test.each([
  ["a block that is no text", { block: null }],
  ["a block that is a list", { block: [["go"]] }],
  ["no schema", { schema: null }],
  ["a schema of a kind that there is not", { schema: { type: 1 } }],
  ["a prompt that is no text", { prompt: 5 }],
  ["an instant that is none", { at: "soon" }],
])("a question with %s is damage, and said to be", async (_, wrong) => {
  const store = memoryStore();
  const run = await createExecutor({ store, workflows: [ask] }).start("ask");
  await run.settled();
  const hurt: Store = {
    ...store,
    async read(id, range) {
      const texts = await store.read(id, range);
      return texts.map((text) => (text.includes('"paused"') ? JSON.stringify({ ...(JSON.parse(text) as object), ...wrong }) : text));
    },
  };
  await expect(createExecutor({ store: hurt, workflows: [ask] }).open(run.id)).rejects.toMatchObject({
    code: "RUN_CORRUPT",
    message: expect.stringContaining(run.id),
  });
});
