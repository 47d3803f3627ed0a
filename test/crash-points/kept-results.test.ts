import { expect, test } from "vitest";
import { createExecutor, defineBlock, isWorkflowError, success, type Store, type Workflow } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { clearDatabase } from "../support/clear-database.ts";
import { stopAt, type StopPoint } from "./stop-at.ts";

const inPage = "document" in globalThis;

/** Items that store two results in each of two iterations, one of them in both, and a block beside them. */
const FLOW: Workflow = {
  name: "flow",
  blocks: [
    { id: "each", type: "Keep", forEach: ["x", "y"], inputs: { name: "${each.value}" } },
    { id: "one", type: "Keep", inputs: { name: "z" } },
    { id: "after", type: "Keep", dependsOn: ["each"], inputs: { name: "${blocks.each.outputs.results[1].got}" } },
  ],
  outputs: { got: "${blocks.each.outputs.results}", one: "${blocks.one.outputs.got}", after: "${blocks.after.outputs.got}" },
};

async function opened(): Promise<{ readonly store: Store; remove(): Promise<void> }> {
  if (!inPage) return { store: memoryStore(), remove: async () => {} };
  const name = `kept-${crypto.randomUUID()}`;
  const store = indexedDbStore({ name });
  return {
    store,
    async remove() {
      await store.close();
      await clearDatabase(name);
    },
  };
}

/** Runs the flow, or goes on with it, and tells what was made: unit and key. */
async function work(store: Store, seed: number): Promise<{ readonly made: readonly string[]; readonly outputs: unknown }> {
  const made: string[] = [];
  const keep = defineBlock({
    type: "Keep",
    async execute({ inputs, iteration, nextIteration, once }) {
      const make = async (key: string): Promise<string> => {
        made.push(key.replace(/^run_\w+\//, "").replace(/#\d/, ""));
        await Promise.resolve();
        return `${String(inputs["name"])} of ${key.split("/")[2]!}`;
      };
      const got = [await once("both", make), await once(`own${iteration}`, make)];
      return iteration < 2 ? nextIteration() : success({ got });
    },
  });
  const executor = createExecutor({ store, workflows: [FLOW], blocks: [keep], host: fakeHost({ seed, autoAdvance: true }) });
  try {
    const [known] = (await store.runs({ workflow: "flow" })).items;
    const run = known ? await executor.open(known.id) : await executor.start("flow");
    const { outputs } = await (known ? run.resume() : run.settled());
    return { made, outputs };
  } catch (error) {
    if (!isWorkflowError(error) || !error.code.startsWith("STORE_")) throw error;
    return { made, outputs: undefined };
  } finally {
    await executor.close().catch(() => {});
  }
}

async function storedIn(store: Store): Promise<readonly string[]> {
  const [run] = (await store.runs({ workflow: "flow" })).items;
  const entries = run
    ? (await store.read(run.id)).map((text) => JSON.parse(text) as { type: string; block: string; item?: number; key: string })
    : [];
  return entries.flatMap(({ type, block, item, key }) =>
    type === "memoized" ? `${block}${item === undefined ? "" : `[${item}]`}/${key}` : [],
  );
}

test("D1: a process that dies at any write: results that are stored are never made again, and none is stored twice", async () => {
  const whole = await opened();
  const counting = stopAt(whole.store);
  const { outputs, made } = await work(counting.store, 1);
  const keys = await storedIn(whole.store);
  await whole.remove();
  expect(keys.toSorted()).toEqual(made.toSorted());
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toHaveLength(12);
  let reached = 0;
  for (let write = 1; write <= counting.writes(); write++) {
    for (const when of ["before", "after"] as const) {
      const point: StopPoint = { write, when };
      const { store, remove } = await opened();
      const doomed = stopAt(store, point);
      await work(doomed.store, 1);
      await doomed.quiet();
      if (doomed.isReached()) reached += 1;
      const before = await storedIn(store);
      const second = await work(store, 2);
      expect({ point, outputs: second.outputs }).toEqual({ point, outputs });
      expect({ point, again: second.made.filter((key) => before.includes(key)) }).toEqual({ point, again: [] });
      expect({ point, stored: (await storedIn(store)).toSorted() }).toEqual({ point, stored: keys.toSorted() });
      await remove();
    }
  }
  expect(reached).toBeGreaterThan(20);
});
