import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Executor, type Host, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { seededChance } from "../support/seeded.ts";

const WORKFLOW: Workflow = {
  name: "luggage",
  blocks: [
    { id: "pack", type: "Pack", inputs: {} },
    { id: "where", type: "GetInput", inputs: { prompt: "Where to?" }, dependsOn: ["pack"] },
    { id: "inner", type: "ExecuteWorkflow", inputs: { workflow: "inner" }, dependsOn: ["where"] },
  ],
  outputs: { packed: "${blocks.pack.value}" },
};
const INNER: Workflow = { name: "inner", blocks: [{ id: "ask", type: "GetInput", inputs: { prompt: "And then?" } }] };

const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);
const VALUES: readonly unknown[] = [
  null,
  -0,
  Number.NaN,
  2 ** 53,
  10n ** 40n,
  "\ud800 alone",
  "\u2028\u0000\r\n",
  "x".repeat(40_000),
  new Date(Number.NaN),
  new Date(-1),
  new Map([[{ a: 1 }, new Set([undefined])]]),
  new Uint8Array(300_000).fill(7),
  deep(190),
  { "": 1, "a\nb": [undefined] },
];

let places = 0;

function executorOn(store: Store, { now, value }: { now?: () => number; value?: unknown } = {}): Executor {
  places += 1;
  const host: Host = fakeHost({ seed: places, autoAdvance: true });
  const pack = defineBlock({ type: "Pack", execute: () => success({ value }) });
  return createExecutor({ store, workflows: [WORKFLOW, INNER], blocks: [pack], host: now ? { ...host, now } : host });
}

/** Goes as far as the called run's question. */
async function begin(executor: Executor): Promise<string> {
  const run = await executor.start("luggage");
  await run.settled();
  await run.answer(run.getSnapshot().pauses[0]!.id, "Rome");
  expect(run.getSnapshot().status).toBe("paused");
  return run.id;
}

/** Clocks that give fractions, begin anywhere, jump back and forth, or stand still. */
const CLOCKS: readonly (readonly [name: string, make: () => () => number])[] = [
  ...[1_700_000_000_000.5, 0.25, 0, -0.5, -1, -5_000, -1e15, 8.64e15].map((at) => [`stands at ${at}`, () => () => at] as const),
  ...[1, 2, 3, 4, 5, 6].map((seed) => {
    const make = () => {
      const { between } = seededChance(seed);
      return (): number => between(-1_000, 3_000) * 10 ** between(0, 9) + between(0, 999) / 999;
    };
    return [`jumps, seed ${seed}`, make] as const;
  }),
];

describe("D25: a file that export or transfer writes can be taken in", () => {
  test.each(CLOCKS)("where the clock %s", async (_, make) => {
    const home = executorOn(memoryStore(), { now: make(), value: 1 });
    const id = await begin(home);
    for (const file of [await home.runs.export(id), await home.runs.transfer(id, { to: "the server" })]) {
      const run = await executorOn(memoryStore()).runs.import(file);
      expect(run.getSnapshot()).toMatchObject({ status: "paused", pauses: [{ path: ["inner", "ask"] }] });
    }
  });

  test.each(VALUES.map((value, i) => [i, value] as const))("with value %i", async (_, value) => {
    const home = executorOn(memoryStore(), { value });
    const id = await begin(home);
    const steps = JSON.stringify((await (await home.open(id)).steps())[0]?.outputs, (_key, part: unknown) => String(part));
    for (const file of [await home.runs.export(id), await home.runs.transfer(id, { to: "the server", passphrase: "open sesame" })]) {
      const there = executorOn(memoryStore());
      const run = await there.runs.import(file, { passphrase: "open sesame" });
      expect(JSON.stringify((await run.steps())[0]?.outputs, (_key, part: unknown) => String(part))).toBe(steps);
      await run.answer(run.getSnapshot().pauses[0]!.id, "home");
      expect(run.getSnapshot().status).toBe("completed");
    }
  });
});

test("D25: a run whose file could not be imported stays here", async () => {
  const store = memoryStore();
  // As a store gave it back whose clock knew fractions.
  const odd = new Proxy(store, {
    get: (target, name) =>
      name === "head"
        ? async (run: string) => {
            const head = await target.head(run);
            return head && { ...head, createdAt: head.createdAt + 0.5 };
          }
        : (Reflect.get(target, name) as unknown),
  });
  const home = executorOn(odd, { value: 1 });
  const id = await begin(home);
  const before = await store.read(id);
  await expect(home.runs.transfer(id, { to: "the server" })).rejects.toMatchObject({ code: "RUN_FILE_INVALID", details: { run: id } });
  expect(await store.read(id)).toEqual(before);
  const run = await home.open(id);
  await run.answer(run.getSnapshot().pauses[0]!.id, "home");
  expect(run.getSnapshot().status).toBe("completed");
});

test("a clock that is none is refused before anything is stored", async () => {
  const store = memoryStore();
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, "today" as unknown as number]) {
    await expect(executorOn(store, { now: () => at }).start("luggage")).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
  expect((await store.runs()).items).toEqual([]);
});
