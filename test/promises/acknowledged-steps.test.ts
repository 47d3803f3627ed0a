import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type CheckpointPolicy, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const chain: Workflow = {
  name: "chain",
  blocks: ["a", "b", "c", "d"].map((id, i, all) => ({ id, type: "Work", ...(i > 0 ? { dependsOn: [all[i - 1]!] } : {}) })),
};

/** A store whose commits take longer than a block. */
function slow(store: Store): Store {
  return {
    ...store,
    async commit(commit) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.commit(commit);
    },
  };
}

/** How many steps were stored when each block began. */
async function storedAtBeginnings(durability: NonNullable<CheckpointPolicy["durability"]>): Promise<readonly number[]> {
  const store = memoryStore();
  const counts: number[] = [];
  const work = defineBlock({
    type: "Work",
    async execute({ run }) {
      counts.push((await store.read(run)).filter((text) => text.startsWith('{"type":"completed"')).length);
      return success({});
    },
  });
  const executor = createExecutor({ store: slow(store), policy: { durability }, blocks: [work], host: fakeHost() });
  await (await executor.start(chain)).settled();
  return counts;
}

describe("D1: a step that the next one stands on", () => {
  test("is stored before that begins, under sync", async () => {
    expect(await storedAtBeginnings("sync")).toEqual([0, 1, 2, 3]);
  });

  test("may still be on its way, under async", async () => {
    expect(await storedAtBeginnings("async")).not.toEqual([0, 1, 2, 3]);
  });
});

test("D1: a block gets its answer once that is stored, also while others execute", async () => {
  const store = memoryStore();
  const stored: boolean[] = [];
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const blocks = [
    defineBlock({
      type: "Slow",
      execute: async () => {
        await finished;
        return success({});
      },
    }),
    defineBlock({
      type: "Ask",
      execute: () => pause({ prompt: "Go?" }),
      resume: async ({ run }) => {
        stored.push((await store.read(run)).some((text) => text.startsWith('{"type":"answered"')));
        return success({});
      },
    }),
  ];
  const executor = createExecutor({ store: slow(store), blocks, host: fakeHost() });
  const run = await executor.start({
    name: "asks",
    blocks: [
      { id: "ask", type: "Ask" },
      { id: "slow", type: "Slow" },
    ],
  });
  await expect.poll(() => run.getSnapshot().pauses.length).toBe(1);
  const answered = run.answer(run.getSnapshot().pauses[0]!.id, "yes");
  // The wave ends in the moment in which the answer was recorded, and its commit is under way.
  await expect.poll(() => run.getSnapshot().pauses.length, { interval: 0 }).toBe(0);
  finish();
  expect((await answered).status).toBe("success");
  expect(stored).toEqual([true]);
});
