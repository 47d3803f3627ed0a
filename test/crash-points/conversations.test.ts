import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, isWorkflowError, success, type Executor, type Store, type Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { keyBytes } from "../encryption/keys.ts";
import { clearDatabase } from "../support/clear-database.ts";
import { stopAt, stopPoints, type StopPoint } from "./stop-at.ts";

const inPage = "document" in globalThis;

/** More turns than entries after which a snapshot is made. */
const TURNS = 1_050;

/** Each turn of the talk reads what the one before gave, before and after its question. */
const talk: Workflow = {
  name: "talk",
  inputs: { said: { type: "string" }, turns: { type: "integer", default: 1 } },
  blocks: [
    { id: "say", type: "EchoBlock", inputs: { message: "${previous.outputs.last}>${inputs.said}" } },
    { id: "think", type: "Think", dependsOn: ["say"], maxIterations: TURNS, inputs: { turns: "${inputs.turns}" } },
    { id: "ask", type: "GetInput", dependsOn: ["think"], inputs: { prompt: "After ${previous.outputs.last}?" } },
    { id: "end", type: "EchoBlock", dependsOn: ["ask"], inputs: { message: "${previous.outputs.last}, ${blocks.ask.input_value}" } },
  ],
  outputs: { last: "${blocks.say.echoed}", end: "${blocks.end.echoed}" },
};

const think = defineBlock({
  type: "Think",
  execute: ({ inputs, iteration, nextIteration }) => (iteration < (inputs["turns"] as number) ? nextIteration() : success({})),
});

let seed = 1;
const processOn = (store: Store): Executor =>
  createExecutor({ store, workflows: [talk], blocks: [think], policy: { durability: "sync" }, host: fakeHost({ seed: seed++ }) });

/** A store, and one more over the same data, with and without a key. */
const PLACES: { readonly [name: string]: (name: string) => Promise<() => Promise<Store>> } = {
  plain: async (name) => {
    if (inPage) return async () => indexedDbStore({ name });
    const store = memoryStore();
    return async () => store;
  },
  encrypted: async (name) => {
    const inside = memoryStore();
    return async () => encryptedStore(inPage ? indexedDbStore({ name }) : inside, { key: keyBytes(1) });
  },
};

/** Goes on with the second turn as a process does that knows no more than its name. */
async function secondTurn(executor: Executor, store: Store, turns = 1): Promise<unknown> {
  const isThere = (await store.head("run_second")) !== undefined;
  const run = isThere
    ? await executor.open("second")
    : await executor.start("talk", { said: "b", turns }, { id: "second", after: "first" });
  const { pauses = [] } = isThere && run.getSnapshot().status !== "completed" ? await run.resume() : await run.settled();
  for (const { id, prompt } of pauses) {
    expect(prompt).toBe("After >a?");
    await run.answer(id, "done");
  }
  return run.getSnapshot().outputs;
}

async function firstTurn(store: Store): Promise<void> {
  const executor = processOn(store);
  const run = await executor.start("talk", { said: "a" }, { id: "first" });
  const { pauses } = await run.settled();
  await run.answer(pauses![0]!.id, "yes");
  await executor.close();
}

async function inPlace<T>(kind: string, act: (open: () => Promise<Store>) => Promise<T>): Promise<T> {
  const name = `talk-${crypto.randomUUID()}`;
  const opened: Store[] = [];
  const open = await PLACES[kind]!(name);
  try {
    return await act(async () => {
      const store = await open();
      opened.push(store);
      return store;
    });
  } finally {
    for (const store of opened) await store.close();
    if (inPage) await clearDatabase(name);
  }
}

const ENDING = { last: ">a>b", end: ">a, done" };

describe.each(Object.keys(PLACES))("D1: a conversation in a store that is %s", (kind) => {
  test("goes on where a process died at any write of its second turn", async () => {
    const played = (point?: StopPoint) =>
      inPlace(kind, async (open) => {
        await firstTurn(await open());
        const doomed = stopAt(await open(), point);
        const outputs = await secondTurn(processOn(doomed.store), doomed.store).catch((error: unknown) => {
          if (!doomed.isReached() || !isWorkflowError(error)) throw error;
        });
        await doomed.quiet();
        if (point) {
          const store = await open();
          const executor = processOn(store);
          expect({ point, outputs: await secondTurn(executor, store) }).toEqual({ point, outputs: ENDING });
          expect((await executor.runs.list({ conversation: "run_first" })).items).toHaveLength(2);
          expect((await executor.open("second")).getSnapshot().previous).toEqual({ run: "run_first", conversation: "run_first" });
        } else expect(outputs).toEqual(ENDING);
        return doomed.writes();
      });
    const points = stopPoints(await played());
    for (const point of inPage ? points.filter((_, i) => i % 4 === 0) : points) await played(point);
  });

  test("has what the earlier run gave in its snapshots, where that one is gone", async () => {
    await inPlace(kind, async (open) => {
      const store = await open();
      await firstTurn(store);
      const executor = processOn(store);
      const run = await executor.start("talk", { said: "b", turns: TURNS }, { id: "second", after: "first" });
      await run.settled();
      await executor.runs.delete("first");
      await executor.close();
      const again = await open();
      expect((await again.notes("run_second", "snapshot.")).length).toBeGreaterThan(0);
      expect(await secondTurn(processOn(again), again)).toEqual(ENDING);
    });
  });
});
