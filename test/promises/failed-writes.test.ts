import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";

const BLOCKS = ["a", "b", "c", "d", "e", "f"];

const chain: Workflow = {
  name: "chain",
  blocks: BLOCKS.map((id, i) => ({ id, type: "Work", ...(i > 0 ? { dependsOn: [BLOCKS[i - 1]!] } : {}) })),
};

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The blocks whose steps are stored, in their order. */
async function storedBlocks(store: Store, run: string): Promise<readonly string[]> {
  const entries = (await store.read(run)).map((text) => JSON.parse(text) as { readonly type: string; readonly block?: string });
  return entries.flatMap(({ type, block }) => (type === "completed" ? [block!] : []));
}

describe.each(["sync", "async"] as const)("D14: a write that fails, under %s,", (durability) => {
  // The first two writes are the definition and the start of the run.
  test.each([3, 4])("is the last one until the run is resumed, and leaves the beginning of what happened: write %i", async (write) => {
    const inner = memoryStore();
    const faulty = faultyStore(inner, failAt(write));
    const store: Store = {
      ...inner,
      putBlob: faulty.putBlob,
      async commit(commit) {
        await turn();
        await faulty.commit(commit);
      },
    };
    const began: string[] = [];
    const work = defineBlock({
      type: "Work",
      async execute({ block }) {
        began.push(block);
        await turn();
        return success({});
      },
    });
    const run = await createExecutor({ store, policy: { durability }, blocks: [work], host: fakeHost() }).start(chain);
    await expect(run.settled()).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(faulty.writes).toBe(write);
    const stored = await storedBlocks(inner, run.id);
    expect(stored).toEqual(began.slice(0, stored.length));
    expect(stored.length).toBeLessThan(BLOCKS.length);
    expect(run.getSnapshot()).toMatchObject({ status: "running", active: false, error: { code: "STORE_FAILED" } });
    expect(await run.resume()).toMatchObject({ status: "success" });
    expect(await storedBlocks(inner, run.id)).toEqual(BLOCKS);
  });
});
