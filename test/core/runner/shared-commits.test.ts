import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

test("quick steps that follow each other share commits, however many there are", async () => {
  const quick = defineBlock({ type: "Quick", execute: async () => success({}) });
  const blocks = Array.from({ length: 300 }, (_, i) => ({ id: `b${i}`, type: "Quick", dependsOn: i > 0 ? [`b${i - 1}`] : [] }));
  const store = memoryStore();
  let commits = 0;
  const counting: Store = {
    ...store,
    commit: async (commit) => {
      commits++;
      await store.commit(commit);
    },
  };
  const executor = createExecutor({ store: counting, blocks: [quick], workflows: [{ name: "chain", blocks }], host: fakeHost() });
  expect(await (await executor.start("chain")).settled()).toMatchObject({ status: "success" });
  expect(commits).toBeLessThan(150);
});
