import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { checkpointRow, runWriter } from "./writer.ts";
import type { Store } from "../../core/ports/store.ts";

/** Demands on `watch`, `close` and opening again. */
export const lifetimeDemands: readonly Demand[] = [
  [
    "who watches hears of commits, drafts and deletions, through its own store and through others, until it no longer wants to",
    async ({ store, another }) => {
      if (!store.watch) return;
      const other = await another();
      const hearing = hearingOf(store);
      const writer = runWriter(other, "run_a");
      await writer.commit(["{}"]);
      await hearing.of("run_a");
      // The first report may be of all runs, as it began to listen.
      await writer.commit(["{}"]);
      await hearing.of("run_a");
      await other.putNote("run_a", "draft.0", "text");
      await hearing.of("run_a");
      await runWriter(store, "run_b").commit(["{}"]);
      await hearing.of("run_b");
      await other.delete("run_a");
      await hearing.of("run_a");
      hearing.end();
      const second = hearingOf(store);
      await runWriter(other, "run_c").commit(["{}"]);
      await second.of("run_c");
      expectEqual(hearing.notified, [], "what is notified after the end");
    },
  ],
  [
    "what was committed is there after closing and opening again, and can go on",
    async ({ store, another }) => {
      if (!store.durable) return;
      const first = await another();
      const writer = runWriter(first, "run_a");
      for (let index = 0; index < 10; index += 1) await writer.commit([`{"n":${index}}`], { checkpoints: [checkpointRow("run_a", index)] });
      await first.putBlob("f00d", "blob");
      await first.close();
      const second = await another();
      expectEqual(await second.head("run_a"), writer.head, "the head");
      expectEqual((await second.read("run_a")).length, 10, "entries");
      expectEqual((await second.checkpoints()).items.length, 10, "checkpoints");
      expectEqual(await second.getBlob("f00d"), "blob", "the blob");
      await runWriter(second, "run_a", writer.head).commit(['{"n":10}']);
      expectEqual(await store.read("run_a", { from: 9 }), ['{"n":9}', '{"n":10}'], "the journal in the store that stayed open");
    },
  ],
  [
    "two stores that write in turn see each other's commits",
    async ({ store, another }) => {
      const stores = [store, await another()];
      for (let index = 0; index < 12; index += 1) {
        const one = stores[index % 2]!;
        await runWriter(one, "run_a", await one.head("run_a")).commit([`{"n":${index}}`], { checkpoints: [checkpointRow("run_a", index)] });
      }
      for (const one of stores) {
        expectEqual((await one.read("run_a")).length, 12, "entries");
        expectEqual((await one.checkpoints({ run: "run_a" })).items.length, 12, "checkpoints");
        expectEqual((await one.runs()).items[0]?.revision, 12, "the revision in the list of runs");
      }
    },
  ],
  [
    "a closed store refuses every call, and closing twice does no harm",
    async ({ store }) => {
      await runWriter(store, "run_a").commit(["{}"]);
      await store.close();
      await store.close();
      const calls = [
        () => runWriter(store, "run_b").commit([]),
        () => store.head("run_a"),
        () => store.read("run_a"),
        () => store.runs(),
        () => store.checkpoints(),
        () => store.putBlob("f00d", "text"),
        () => store.getBlob("f00d"),
        () => store.sweepBlobs(new Set(), 0),
        () => store.putNote("run_a", "draft.0", "text"),
        () => store.notes("run_a"),
        () => store.usage(),
        () => store.delete("run_a"),
        () => store.claim("run_a"),
      ];
      for (const call of calls) await expectCode(call, "STORE_CLOSED", String(call));
    },
  ],
];

/** The notifications of a watched store. */
interface Hearing {
  /** Runs that were reported and not yet waited for. */
  readonly notified: readonly (string | undefined)[];
  /** Resolves once a run is reported. */
  of(run: string): Promise<void>;
  end(): void;
}

/** Watches a store that hears of others. */
function hearingOf(store: Store): Hearing {
  const notified: (string | undefined)[] = [];
  let wake = (): void => {};
  const end = store.watch!((run) => {
    notified.push(run);
    wake();
  });
  return {
    notified,
    async of(run) {
      // Nothing stands for all runs.
      while (!notified.includes(run) && !notified.includes(undefined)) await new Promise<void>((resolve) => (wake = resolve));
      notified.length = 0;
    },
    end,
  };
}
