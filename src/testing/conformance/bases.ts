import type { Commit } from "../../core/ports/store.ts";
import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { checkpointRow, nextHead, runWriter } from "./writer.ts";
import type { Writer } from "./writer.ts";

/** Demands on bases: texts that stand for the beginning of a journal. */
export const baseDemands: readonly Demand[] = [
  [
    "a base replaces the beginning of a journal, and positions stay what they were",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(texts(0, 4));
      await writer.commit(texts(4, 6));
      await writer.commit(texts(6, 8), { base: { at: 5, text: "base 5" } });
      const kept = ["base 5", ...texts(5, 8)];
      for (const one of [store, await another()]) {
        expectEqual(await one.head("run_a"), { ...writer.head!, base: 5, entries: 8 }, "the head");
        expectEqual(await one.read("run_a"), kept, "the journal");
        expectEqual(await one.read("run_a", { from: 4 }), kept, "from the base on");
        expectEqual(await one.read("run_a", { from: 5 }), texts(5, 8), "behind the base");
        expectEqual(await one.read("run_a", { from: 7 }), texts(7, 8), "the last entry");
        expectEqual(await one.read("run_a", { from: 2, to: 6 }), ["base 5", "entry 5"], "a range that begins before the base");
        expectEqual(await one.read("run_a", { to: 5 }), ["base 5"], "the base alone");
        expectEqual(await one.read("run_a", { to: 4 }), [], "what the base stands for");
        expectEqual(await one.read("run_a", { from: 8 }), [], "entries past the end");
        expectEqual((await one.runs()).items, [writer.head], "the list");
      }
      await writer.commit(texts(8, 9));
      expectEqual(await store.read("run_a"), [...kept, "entry 8"], "the journal after one more entry");
    },
  ],
  [
    "a base may follow a base, at the same place or further on, with entries and without",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(texts(0, 3), { base: { at: 3, text: "base 3" } });
      expectEqual(await store.read("run_a"), ["base 3"], "a base for the first entries, in the commit that brings them");
      await writer.commit(texts(3, 6));
      await writer.commit([], { base: { at: 3, text: "another 3" } });
      expectEqual(await store.read("run_a"), ["another 3", ...texts(3, 6)], "another base at the same place");
      await writer.commit([], { base: { at: 4, text: "base 4" } });
      expectEqual(await store.read("run_a"), ["base 4", ...texts(4, 6)], "a base further on");
      await writer.commit(texts(6, 9), { base: { at: 8, text: "base 8" } });
      expectEqual(await store.read("run_a"), ["base 8", "entry 8"], "a base among the new entries");
      await writer.commit([], { base: { at: 9, text: "base 9" } });
      for (const one of [store, await another()]) expectEqual(await one.read("run_a"), ["base 9"], "a base for all");
      await writer.commit(texts(9, 11));
      for (const one of [store, await another()]) {
        expectEqual(await one.read("run_a"), ["base 9", ...texts(9, 11)], "the entries after it");
        expectEqual(await one.head("run_a"), writer.head, "the head");
      }
    },
  ],
  [
    "entries that a base stands for need not be given",
    async ({ store, another }) => {
      const fresh = nextHead("run_a", undefined, 1000, { base: 998 });
      const commit: Commit = {
        run: "run_a",
        expected: undefined,
        head: fresh,
        entries: texts(998, 1000),
        base: { at: 998, text: "base 998" },
        durability: "strict",
      };
      await store.commit(commit);
      expectEqual(await (await another()).read("run_a"), ["base 998", ...texts(998, 1000)], "a run that begins with a base");
      const later = nextHead("run_a", fresh, 500, { base: 1500 });
      await store.commit({ ...commit, expected: fresh, head: later, entries: [], base: { at: 1500, text: "base 1500" } });
      expectEqual(await (await another()).read("run_a"), ["base 1500"], "a base for entries that were never written");
      const last = nextHead("run_a", later, 500, { base: 1800 });
      await store.commit({ ...commit, expected: later, head: last, entries: texts(1700, 2000), base: { at: 1800, text: "base 1800" } });
      const reader = await another();
      expectEqual(await reader.read("run_a"), ["base 1800", ...texts(1800, 2000)], "a base among entries that leave a gap");
      expectEqual(await reader.read("run_a", { from: 1999 }), ["entry 1999"], "the last entry");
      expectEqual(await reader.head("run_a"), last, "the head");
    },
  ],
  [
    "a base that does not fit is refused and leaves no trace",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(texts(0, 6), { base: { at: 4, text: "base 4" } });
      const next = nextHead("run_a", writer.head, 2, { base: 5 });
      const commit: Commit = {
        run: "run_a",
        expected: writer.head,
        head: next,
        entries: texts(6, 8),
        base: { at: 5, text: "no" },
        durability: "strict",
      };
      const { base: _, ...without } = commit;
      const attempts: readonly [what: string, commit: Commit][] = [
        ["a base beyond the entries", { ...commit, head: { ...next, base: 9 }, base: { at: 9, text: "no" } }],
        ["a base for nothing", { ...commit, head: { ...next, base: 0 }, base: { at: 0, text: "no" } }],
        ["a base at half an entry", { ...commit, head: { ...next, base: 5.5 }, base: { at: 5.5, text: "no" } }],
        ["a base that the head does not speak of", { ...commit, head: { ...next, base: 4 } }],
        ["a base before the one that is there", { ...commit, head: { ...next, base: 3 }, base: { at: 3, text: "no" } }],
        ["a head that speaks of a base that is not given", without],
        ["a gap that the base does not stand for", { ...commit, entries: texts(7, 8) }],
      ];
      for (const [what, attempt] of attempts) await expectCode(() => store.commit(attempt), "STORE_FAILED", what);
      await expectCode(
        () => store.commit({ ...commit, expected: { revision: 1, epoch: 2 }, head: { ...next, epoch: 2 } }),
        "STORE_CONFLICT",
        "a base from a writer that did not see the newest head",
      );
      for (const one of [store, await another()]) {
        expectEqual(await one.head("run_a"), writer.head, "the head");
        expectEqual(await one.read("run_a"), ["base 4", ...texts(4, 6)], "the journal");
      }
      await store.commit(commit);
      expectEqual(await store.read("run_a"), ["no", ...texts(5, 8)], "the journal after a base that fits");
    },
  ],
  [
    "who did not see that a base was put is refused, and of two that put one only the first does",
    async ({ store, another }) => {
      const stores = [store, await another()];
      const sleeper = runWriter(store, "run_a");
      for (let at = 0; at < 4; at += 1) await sleeper.commit(texts(at, at + 1));
      const other = runWriter(stores[1]!, "run_a", sleeper.head);
      for (let at = 4; at < 10; at += 1) await other.commit(texts(at, at + 1));
      await other.commit([], { base: { at: 10, text: "base 10" } });
      await expectCode(() => sleeper.commit(['"late"']), "STORE_CONFLICT", "a writer that slept");
      await expectCode(() => sleeper.commit([], { base: { at: 4, text: "late" } }), "STORE_CONFLICT", "a base of a writer that slept");
      const rivals = stores.map((one) => runWriter(one, "run_a", other.head));
      const outcomes = await Promise.allSettled(
        rivals.map((rival, index) => rival.commit(texts(10, 11), { base: { at: 11, text: `by ${index}` } })),
      );
      const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
      expectEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"], "outcomes");
      for (const one of stores) expectEqual(await one.read("run_a"), [`by ${winner}`], "the journal");
      await rivals[winner]!.commit(texts(11, 12));
      for (const one of stores) expectEqual(await one.read("run_a"), [`by ${winner}`, "entry 11"], "the journal after one more entry");
    },
  ],
  [
    "a journal that is cut short again and again stays readable at every moment, and goes with its run",
    async ({ store, another }) => {
      const reader = await another();
      const writer = runWriter(store, "run_a");
      for (let at = 0; at < 60; at += 1) {
        const first = Math.max(0, at - 4);
        await writer.commit(texts(at, at + 1), {
          checkpoints: [checkpointRow("run_a", at)],
          ...(first > 0 && { base: { at: first, text: `base ${first}` }, forgotten: [{ kind: "wave", number: first - 1 }] }),
        });
        const kept = [...(first > 0 ? [`base ${first}`] : []), ...texts(first, at + 1)];
        expectEqual(await reader.read("run_a"), kept, `the journal after entry ${at}`);
      }
      await goOn(await another(), writer);
      expectEqual((await reader.checkpoints({ run: "run_a" })).items.length, 5, "checkpoints");
      await store.delete("run_a");
      expectEqual(await reader.read("run_a"), [], "the journal of the deleted run");
      await runWriter(store, "run_a").commit(["new"]);
      for (const one of [store, reader]) expectEqual(await one.read("run_a"), ["new"], "the journal of the next run with this id");
    },
  ],
];

/** One more entry by a store that did not write the others. */
async function goOn(store: Parameters<typeof runWriter>[0], { head }: Writer): Promise<void> {
  const at = head!.entries;
  await runWriter(store, "run_a", head).commit(texts(at, at + 1));
  expectEqual(await store.read("run_a", { from: head!.base! - 1 }), [`base ${head!.base!}`, ...texts(head!.base!, at + 1)], "the journal");
}

function texts(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `entry ${from + index}`);
}
