import { expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type RunHead, type Serializer } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { isPacked, unpackText } from "../../../../src/core/journal/values/pack-text.ts";
import { CANONICAL_HASHES, CANONICAL_JOURNAL } from "./canonical-journal.ts";
import { bytesOf } from "./give-value.ts";

class Point {
  readonly x: number;
  readonly y: number;

  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

const point: Serializer = {
  name: "point",
  accepts: (value) => value instanceof Point,
  serialize: (value) => ({ ...value }),
  deserialize: (data) => {
    const { x, y } = data as Point;
    return new Point(x, y);
  },
};

const shared = { unicode: "Zoë 🌊 \u2028 \ud800 \u0000 \"'\\/", nested: [[[]], {}] };

const VALUES = {
  numbers: [0, -1, 1.5, 1e21, 1e-7, 0.1 + 0.2, 2 ** 53, 5e-324, 123_456_789_012_345_680_000],
  odd: [-0, Number.NaN, Infinity, -Infinity, 2n ** 100n, undefined],
  dates: [new Date(0), new Date(Date.UTC(2026, 10, 21, 8, 30, 0, 7)), new Date(-62_198_755_200_000), new Date(Number.NaN)],
  maps: new Map<unknown, unknown>([
    [{ key: [1] }, new Set(["b", "a", 1])],
    ["z", 1],
    ["a", null],
  ]),
  bytes: [
    Uint8Array.of(0, 127, 255),
    new Float64Array([Math.PI, -0]),
    new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
    Uint8Array.of(9).buffer,
  ],
  large: bytesOf(1_100_000),
  twice: [shared, shared],
  own: [new Point(1, -0), new Map([["p", new Point(0.5, 2)]])],
};

const blocks = [
  defineBlock({ type: "Plain", execute: () => success({ b: 1, a: [true, null, "Zoë 🌊 \u2028 \ud800"], "10": 1, "9": 2 }) }),
  defineBlock({ type: "Rich", execute: () => success(VALUES) }),
  defineBlock({ type: "Long", execute: () => success({ list: Array.from({ length: 2_500 }, (_, i) => `line ${i} ä`) }) }),
  defineBlock({
    type: "Asks",
    execute: async () => pause({ prompt: "Où? 🌊", schema: {}, metadata: { asked: new Date(1), place: new Point(3, 4) } }),
    resume: async ({ response, pause: { metadata } }) => success({ response, metadata }),
  }),
];

const FLOW = {
  name: "canonical",
  inputs: { name: { type: "string" as const, default: "Ada" } },
  blocks: [
    { id: "plain", type: "Plain" },
    { id: "rich", type: "Rich", dependsOn: ["plain"] },
    { id: "long", type: "Long", dependsOn: ["rich"] },
    { id: "asks", type: "Asks", dependsOn: ["long"] },
    { id: "never", type: "Plain", dependsOn: ["asks"], condition: "${inputs.name} == 'Grace'" },
  ],
  outputs: { dates: "${blocks.rich.outputs.dates}", answer: "${blocks.asks.outputs.response}" },
};

test("D18: the same run has the same bytes in Node and in browsers", async () => {
  const store = memoryStore();
  const host = fakeHost();
  const executor = createExecutor({ store, host, blocks, serializers: [point] });
  const run = await executor.start(FLOW);
  const { pauses } = await run.settled();
  const answer = { when: new Date(2), where: new Point(-1, 1), file: bytesOf(1_100_000, 2) };
  expect(await run.answer(pauses![0]!.id, answer as never)).toMatchObject({ status: "success" });
  const texts: string[] = [];
  for (const text of await store.read(run.id)) texts.push(isPacked(text) ? await unpackText(text, host) : text);
  const short = texts.map((text) => (text.length > 5_000 ? `${text.slice(0, 100)}… ${text.length} characters` : text));
  expect([run.id, ...short]).toEqual(CANONICAL_JOURNAL);
  const { definition, blobs } = (await store.head(run.id)) as RunHead;
  const whole = await host.hash(texts.join("\n"));
  expect({ definition, blobs, whole }).toEqual(CANONICAL_HASHES);
});
