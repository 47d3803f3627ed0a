import { createExecutor, defineBlock, pause, success, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { expect, test } from "vitest";

const QUESTIONS = 4;

/** A store that counts the entries of each commit. */
function countingStore(): { readonly store: Store; readonly commits: number[] } {
  const inner = memoryStore();
  const commits: number[] = [];
  const commit: Store["commit"] = (given) => {
    commits.push(given.entries.length);
    return inner.commit(given);
  };
  return { store: { ...inner, commit }, commits };
}

const gates = {
  "at once": defineBlock({ type: "Gate", execute: () => pause({ prompt: "Go on?" }), resume: () => success({}) }),
  "with promises": defineBlock({ type: "Gate", execute: async () => pause({ prompt: "Go on?" }), resume: async () => success({}) }),
};

for (const [how, gate] of Object.entries(gates)) {
  test(`a step and the question behind it are one write, where blocks answer ${how}`, async () => {
    const { store, commits } = countingStore();
    const blocks = Array.from({ length: QUESTIONS }, (_, i) => ({ id: `q${i}`, type: "Gate", dependsOn: i > 0 ? [`q${i - 1}`] : [] }));
    const executor = createExecutor({ store, blocks: [gate], workflows: [{ name: "ask", blocks }], host: fakeHost() });
    const run = await executor.start("ask");
    await run.settled();
    for (let i = 0; i < QUESTIONS - 1; i++) {
      commits.length = 0;
      await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
      expect(commits).toEqual([1, 2]);
    }
  });
}
