import { expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type CheckpointPolicy, type Executor, type Serializer, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { bytesOf, inShort } from "./give-value.ts";

class Money {
  readonly cents: number;

  constructor(cents: number) {
    this.cents = cents;
  }
}

const money: Serializer = {
  name: "money",
  accepts: (value) => value instanceof Money,
  serialize: (value) => (value as Money).cents,
  deserialize: (data) => new Money(data as number),
};

const given = {
  when: new Date(3),
  price: new Money(7),
  map: new Map([["a", 1n]]),
  odd: { "~": "[1]" },
  tagged: { "~value": 1, "~bytes": "x", "~map": [1], "~set": [2] },
  file: bytesOf(1_500_000),
};

const asks = defineBlock({
  type: "Asks",
  execute: async ({ iteration, nextIteration }) =>
    iteration === 1 ? nextIteration(12n) : pause({ prompt: "?", schema: {}, metadata: { price: new Money(1), nothing: undefined } }),
  resume: async ({ response, carried, pause: { metadata } }) => success({ response, carried, metadata }),
});

const blocks = [defineBlock({ type: "Give", execute: async () => success(given) }), asks];
const FLOW = {
  name: "bases",
  blocks: [
    { id: "give", type: "Give" },
    { id: "one", type: "Asks", dependsOn: ["give"] },
    { id: "two", type: "Asks", dependsOn: ["one"] },
  ],
};

test.each<readonly [what: string, policy: CheckpointPolicy]>([
  ["of which only the newest state is kept", { retention: "latest" }],
  ["that is written when it rests", { retention: "latest", durability: "exit" }],
  ["of which a window is kept", { retention: "windowed", window: 1 }],
])("the state of a run %s holds values of any kind", async (_what, policy) => {
  const store = memoryStore();
  const open = (): Executor => createExecutor({ store, blocks, serializers: [money], policy });
  const run = await open().start(FLOW);
  await run.settled();
  for (const answer of [NaN, given.map]) {
    const again = await open().open(run.id);
    expect(again.getSnapshot().pauses[0]!.metadata).toStrictEqual({ price: new Money(1), nothing: undefined });
    await again.answer(again.getSnapshot().pauses[0]!.id, answer as never);
  }
  const last = await open().open(run.id);
  expect((await store.head(run.id))!.base).toBeGreaterThan(3);
  const { values } = await last.state();
  const { file, ...rest } = values["give"] as unknown as typeof given;
  const { file: _file, ...wanted } = given;
  expect(inShort(file)).toBe(inShort(given.file));
  expect(rest).toStrictEqual(wanted);
  const metadata = { price: new Money(1), nothing: undefined };
  expect(values["one"]).toStrictEqual({ response: NaN, carried: 12n, metadata });
  expect(values["two"]).toStrictEqual({ response: given.map, carried: 12n, metadata });
  expect((await store.read(run.id)).join("").length).toBeLessThan(8_000);
});

test("a blob of a value that is kept is hashed and stored once, however often the state is written", async () => {
  const inner = memoryStore();
  let puts = 0;
  const store: Store = {
    ...inner,
    putBlob(hash, content) {
      if (typeof content !== "string") puts++;
      return inner.putBlob(hash, content);
    },
  };
  const run = await createExecutor({ store, blocks, serializers: [money], policy: { retention: "latest" } }).start(FLOW);
  await run.settled();
  await run.answer(run.getSnapshot().pauses[0]!.id, "x");
  expect(puts).toBe(1);
});
