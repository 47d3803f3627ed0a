import { expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { runWriter } from "./writer.ts";

/** Far enough from now that no clock of a file system disagrees. */
const MINUTE_MS = 60_000;
/** Longer than the steps of the coarsest clock that a store reads. */
const TICK_MS = 25;

/** Demands on blobs of bytes, on sweeping, and on what the store says of itself. */
export const blobDemands: readonly Demand[] = [
  [
    "bytes come back as bytes, and changes that the caller makes to them later do not show",
    async ({ store, another }) => {
      const large = Uint8Array.from({ length: 1_048_576 }, (_, index) => (index * 31 + (index >> 8)) % 256);
      const given = large.slice();
      await store.putBlob("large", given);
      given.fill(0);
      await store.putBlob("part", large.subarray(1000, 1010));
      await store.putBlob("none", new Uint8Array());
      await store.putBlob("text", "text");
      for (const one of [store, await another()]) {
        const got = await one.getBlob("large");
        expectEqual(got instanceof Uint8Array && sameBytes(got, large), true, "the large bytes are the same");
        if (got instanceof Uint8Array) got.fill(1);
        const again = await one.getBlob("large");
        expectEqual(again instanceof Uint8Array && sameBytes(again, large), true, "they are the same after the reader changed its own");
        const part = await one.getBlob("part");
        expectEqual(part instanceof Uint8Array && sameBytes(part, large.slice(1000, 1010)), true, "part of a buffer");
        expectEqual(part instanceof Uint8Array && part.buffer.byteLength, 10, "bytes of the buffer behind it");
        const none = await one.getBlob("none");
        expectEqual(none instanceof Uint8Array && none.length, 0, "no bytes at all");
        expectEqual(await one.getBlob("text"), "text", "a text stays a text");
      }
    },
  ],
  [
    "sweeping deletes the blobs that are not named and not young",
    async ({ store, another }) => {
      await Promise.all([store.putBlob("named", "named"), store.putBlob("old", "old"), store.putBlob("bytes", new Uint8Array([1, 2]))]);
      const other = await another();
      expectEqual(await other.sweepBlobs(new Set(), Date.now() - MINUTE_MS), 0, "how many are older than a minute");
      expectEqual(await other.getBlob("old"), "old", "a young blob");
      expectEqual(await other.sweepBlobs(new Set(["named", "unknown"]), Date.now() + MINUTE_MS), 2, "how many are not named");
      for (const one of [store, other]) {
        expectEqual(
          [await one.getBlob("named"), await one.getBlob("old"), await one.getBlob("bytes")],
          ["named", undefined, undefined],
          "what is left",
        );
      }
      await store.putBlob("old", "old");
      expectEqual(await other.getBlob("old"), "old", "a blob that was swept and kept again");
    },
  ],
  [
    "a blob that is kept again is young again",
    async ({ store, another }) => {
      await store.putBlob("once", "once");
      await store.putBlob("again", "again");
      const between = await laterThan(await laterThan(Date.now()));
      await laterThan(between);
      await (await another()).putBlob("again", "again");
      expectEqual(await store.sweepBlobs(new Set(), between), 1, "how many were last kept before");
      expectEqual([await store.getBlob("once"), await store.getBlob("again")], [undefined, "again"], "what is left");
    },
  ],
  [
    "the store counts its runs, and speaks of damage only where there is some",
    async ({ store, another }) => {
      expectEqual((await store.usage()).runs, 0, "runs of an empty store");
      for (const run of ["run_a", "run_b", "run_c"]) await runWriter(store, run).commit(["{}"]);
      await store.delete("run_b");
      for (const one of [store, await another()]) {
        const { runs, bytes = 0 } = await one.usage();
        expectEqual(runs, 2, "runs");
        expectEqual(Number.isSafeInteger(bytes) && bytes >= 0, true, "bytes are a whole number, if given");
        expectEqual([(await one.runs()).damaged, (await one.checkpoints()).damaged], [undefined, undefined], "damaged runs");
      }
    },
  ],
];

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Waits until every clock has moved on from an instant, and gives the one that came. */
async function laterThan(instant: number): Promise<number> {
  while (Date.now() < instant + TICK_MS) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  return Date.now();
}
