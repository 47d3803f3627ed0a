import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, giveValue, readValue } from "./give-value.ts";

const buffer = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8).buffer;

describe("a value that a run holds is the same for later blocks and after it was read again", () => {
  const sparse: unknown[] = [1];
  sparse[3] = 4;
  test.each<readonly [what: string, value: unknown]>([
    ["plain data", { text: "ä€🌊", list: [1, -1.5, 1e300, true, null], nothing: {} }],
    ["a date", new Date(1_767_225_600_123)],
    ["no date", new Date(Number.NaN)],
    [
      "a map with any keys",
      new Map<unknown, unknown>([
        ["a", 1],
        [2, { b: new Date(0) }],
        [{ c: 1 }, [undefined]],
      ]),
    ],
    ["a set", new Set([1, "1", { a: new Set() }])],
    ["a bigint", 2n ** 70n],
    ["undefined", undefined],
    ["undefined members", { a: undefined, list: [undefined, 1] }],
    ["numbers JSON lacks", [Number.NaN, Infinity, -Infinity, -0]],
    ["a list with holes", sparse],
    ["bytes", Uint8Array.of(0, 255)],
    ["no bytes", new Uint8Array()],
    ["a buffer", Uint8Array.of(1, 2, 3).buffer],
    ["a view", new DataView(buffer, 2, 3)],
    ["typed arrays", [new Float64Array(buffer), new Int16Array([-1, 2]), new BigUint64Array([2n ** 63n]), new Uint8ClampedArray([300])]],
    ["data that looks like an encoded value", { "~": "[1]" }],
    ["data that looks like an encoded value with blobs", { "~": "[1]", blobs: ["x"] }],
    ["data that looks like what stands for bytes", [["StoredBytes", 0], ["SerializedObject", 1], new Date(0)]],
  ])("%s", async (_what, value) => {
    const given = await giveValue(value);
    expect(given.seen).toStrictEqual(value);
    expect(await readValue(given)).toStrictEqual(value);
  });

  test("of any kind that can be kept", async () => {
    const values = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
    });
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const given = await giveValue(value);
        // Some of what can be made up has forbidden keys.
        if (given.result.status === "failure") return expect(given.result.error.code).toBe("VALUE_UNSERIALIZABLE");
        expect(given.seen).toStrictEqual(value);
        expect(await readValue(given)).toStrictEqual(value);
      }),
      { numRuns: 200, seed: 4 },
    );
  });
});

describe("what a run keeps", () => {
  test("is no longer the object that the block gave", async () => {
    const value = { when: new Date(5), bytes: Uint8Array.of(1), map: new Map([["a", 1]]) };
    const given = await giveValue(value);
    value.when.setTime(0);
    value.bytes[0] = 9;
    value.map.clear();
    const kept = { when: new Date(5), bytes: Uint8Array.of(1), map: new Map([["a", 1]]) };
    expect(given.seen).toStrictEqual(kept);
    expect(await readValue(given)).toStrictEqual(kept);
  });

  test("holds nothing of the rest of a buffer of which a value shows a part", async () => {
    const whole = new TextEncoder().encode("hidden-before shown hidden-after");
    const { store, id, seen } = await giveValue(whole.subarray(14, 19));
    expect(seen).toStrictEqual(new TextEncoder().encode("shown"));
    expect((seen as Uint8Array).buffer.byteLength).toBe(5);
    expect((await store.read(id)).join("")).not.toContain(btoa("hidden").slice(0, 6));
  });

  test("is the plain kind of a subclass", async () => {
    class Stamp extends Date {}
    class Table extends Map<string, number> {}
    const { seen } = await giveValue([new Stamp(1), new Table([["a", 1]])]);
    expect(seen).toStrictEqual([new Date(1), new Map([["a", 1]])]);
  });
});

describe("what cannot be kept fails the block, with the path", () => {
  const circle: unknown[] = [];
  circle.push([circle]);
  test.each<readonly [what: string, value: unknown, path: string]>([
    ["a function", { a: [() => {}] }, "value.a[0]"],
    ["a symbol in a map", new Map([["k", Symbol("s")]]), "value[0]"],
    ["an instance of a class", { deep: { date: new Date(), url: new URL("https://example.com") } }, "value.deep.url"],
    ["a regular expression", /a/, "value"],
    ["a boxed number", Object(1), "value"],
    ["a circle", circle, "value[0][0]"],
    ["a forbidden key", JSON.parse('{"a":{"__proto__":1}}'), "value.a.__proto__"],
  ])("%s", async (_what, value, path) => {
    const { result } = await giveValue(value);
    expect(result).toMatchObject({ status: "failure", error: { code: "VALUE_UNSERIALIZABLE", path } });
  });

  test.each<readonly [what: string, make: () => unknown]>([
    ["a list that is mostly holes", () => Object.assign([], { length: 4_000_000_000 })],
    [
      "parts that are shared, so that they double at each level",
      () => Array.from({ length: 60 }).reduce((value) => [value, value], [1] as unknown),
    ],
    ["the same with a date in it", () => Array.from({ length: 60 }).reduce((value) => [value, value], new Date() as unknown)],
    ["data nested too deep", () => Array.from({ length: 5_000 }).reduce((value) => [value], 1 as unknown)],
    ["a bigint of too many digits", () => 1n << 400_000n],
    ["a text too long", () => "x".repeat(1_100_000)],
    ["more bytes than a value may hold", () => [new Uint8Array(40_000_000), new Uint8Array(40_000_000)]],
  ])("%s", async (_what, make) => {
    const { result } = await giveValue(make());
    expect(result).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED" } });
  });
});

test("large bytes in a value that is too large are not stored", async () => {
  const { result, store } = await giveValue([bytesOf(2_000_000), "x".repeat(1_100_000)]);
  expect(result.status).toBe("failure");
  expect((await store.runs()).items[0]!.blobs).toBeUndefined();
});
