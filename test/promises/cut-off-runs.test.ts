import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, success, type Block, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Enough for several snapshots, the newest of which share what those before wrote. */
const STEPS = 3_300;

/** A store that outlives its process, and counts the entries that are read from it. */
function countingStore(): { readonly store: Store; readonly counted: { entries: number } } {
  const inner = memoryStore();
  const counted = { entries: 0 };
  const read: Store["read"] = async (run, range) => {
    const texts = await inner.read(run, range);
    counted.entries += texts.length;
    return texts;
  };
  return { store: { ...inner, durable: true, read }, counted };
}

/** One block after another; the last one is cut off again and again until `hanging` is over. */
const chain: Workflow = {
  name: "chain",
  blocks: Array.from({ length: STEPS }, (_, i): Block => {
    const dependsOn = i === 0 ? [] : [`b${i - 1}`];
    if (i === STEPS - 1) return { id: `b${i}`, type: "Last", dependsOn };
    return { id: `b${i}`, type: i % 500 === 3 ? "Odd" : "Count", dependsOn, continueOnError: true };
  }),
  outputs: { first: "${blocks.b0.at}", odd: "${blocks.b3.when}" },
};

function executorOn(store: Store, { hangs }: { readonly hangs: boolean }): { executor: Executor; begun: Promise<void> } {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const blocks = [
    defineBlock({ type: "Count", execute: ({ block }) => (block === "b7" ? failure("no") : success({ at: block })) }),
    defineBlock({ type: "Odd", execute: () => success({ when: new Date(7) }) }),
    defineBlock({
      type: "Last",
      execute: () => {
        begin();
        return hangs ? new Promise<never>(() => {}) : success({});
      },
    }),
  ];
  return { executor: createExecutor({ store, workflows: [chain], blocks, host: fakeHost({ autoAdvance: true }) }), begun };
}

/** Leaves a run behind as a process does that dies while the last block runs. */
async function cutOff(store: Store): Promise<string> {
  const { executor, begun } = executorOn(store, { hangs: true });
  const { id } = await executor.start("chain");
  await begun;
  await executor.close();
  return id;
}

async function looks(store: Store, id: string): Promise<unknown> {
  const run = await executorOn(store, { hangs: false }).executor.open(id);
  return [run.getSnapshot(), await run.steps(), await run.state(), await run.state({ superstep: 1_500 })];
}

describe("D19: a long run that was cut off while it executed", () => {
  test("is read from the newest snapshot on, however long it is", async () => {
    const { store, counted } = countingStore();
    const id = await cutOff(store);
    expect((await store.head(id))!.entries).toBe(STEPS);
    counted.entries = 0;
    await executorOn(store, { hangs: false }).executor.open(id);
    expect(counted.entries).toBeGreaterThan(0);
    expect(counted.entries).toBeLessThan(STEPS / 2);
  });

  test("is the same without its snapshots, with some of them, and with parts of them changed", async () => {
    const { store } = countingStore();
    const id = await cutOff(store);
    const notes = await store.notes(id, "snapshot.");
    expect(notes.length).toBeGreaterThan(3);
    const seen = await looks(store, id);
    for (const { key, text } of notes) {
      await store.putNote(id, key, undefined);
      expect(await looks(store, id), `without ${key}`).toEqual(seen);
      await store.putNote(id, key, text.replace("b1", "b2"));
      expect(await looks(store, id), `with ${key} changed`).toEqual(seen);
      await store.putNote(id, key, text);
    }
    for (const { key } of notes) await store.putNote(id, key, undefined);
    expect(await looks(store, id)).toEqual(seen);
  });

  test("goes on to its end, and leaves no snapshot behind", async () => {
    const { store } = countingStore();
    const id = await cutOff(store);
    const { executor } = executorOn(store, { hangs: false });
    const result = await (await executor.open(id)).resume();
    expect(result).toMatchObject({ status: "success", outputs: { first: "b0" } });
    expect(await store.notes(id, "snapshot.")).toEqual([]);
  });
});
