import { describe, expect, test } from "vitest";
import { createExecutor, type Store } from "wavepoint";
import { giveValue } from "./give-value.ts";

/** The code with which a run is refused whose outputs were replaced. */
async function refusal(outputs: unknown): Promise<unknown> {
  const { store, id } = await giveValue("x");
  const edit = (text: string): string => JSON.stringify({ ...(JSON.parse(text) as object), outputs });
  const read: Store["read"] = async (run, range) => (await store.read(run, range)).map((text, i) => (i === 1 ? edit(text) : text));
  return createExecutor({ store: { ...store, read } })
    .open(id)
    .then(
      () => "opened",
      (error: { readonly code?: unknown }) => error.code ?? error,
    );
}

const HASH = "a".repeat(64);
const packed = (parts: readonly unknown[], blobs?: unknown): object => ({
  "~": JSON.stringify(parts),
  ...(blobs === undefined ? {} : { blobs }),
});

describe("an encoded value that is never written makes a run damaged, and nothing worse", () => {
  test.each<readonly [what: string, outputs: unknown]>([
    ["bytes of no blob", packed([["StoredBytes", 1], [2, 3], "Uint8Array", 0])],
    ["bytes of a blob that is not there", packed([["StoredBytes", 1], [2, 3], "Uint8Array", 0], [HASH])],
    ["bytes of an unknown class", packed([["StoredBytes", 1], [2, 3], "SharedArrayBuffer", 0], [HASH])],
    [
      "bytes of a class that only some platforms have",
      packed([
        ["Float16Array", 1],
        ["ArrayBuffer", "AAAA"],
      ]),
    ],
    ["bytes whose class is a member of objects", packed([["StoredBytes", 1], [2, 3], "constructor", 0], [HASH])],
    ["bytes that are no list", packed([["StoredBytes", 1], "x"])],
    ["bytes in themselves", packed([["StoredBytes", 0]])],
    ["blobs that have no hash", packed([1], [1, {}, null])],
    ["blobs by a path", packed([1], ["../../etc/passwd"])],
    ["blobs by a hash that is too long", packed([1], [`${HASH}a`])],
    ["an object in itself", packed([["SerializedObject", 0]])],
    ["an instant", packed([["Temporal.Instant", "2026-01-01T00:00:00Z"]])],
    ["a number of more digits than any", packed([["BigInt", "9".repeat(2_000_000)]])],
    ["a map that holds itself", packed([["Map", 0, 0]])],
    ["a set that holds itself", packed([["Set", 0]])],
    ["a text for a million lists", packed([Array.from({ length: 1_000_000 }, () => 1), []])],
    ["a thousand texts that are one", packed([Array.from({ length: 20 }, () => 1), "x".repeat(100_000)])],
  ])("%s", async (_what, outputs) => {
    expect(await refusal(outputs)).toBe("RUN_CORRUPT");
  });
});

test("plain data of that shape, deeper in a value, is data", async () => {
  const value = { a: { "~": "[1]" }, b: [{ "~": "nonsense", blobs: ["x"] }] };
  const { seen, store, id } = await giveValue(value);
  expect(seen).toStrictEqual(value);
  expect((await (await createExecutor({ store }).open(id)).settled()).outputs).toStrictEqual({ kept: value });
});
