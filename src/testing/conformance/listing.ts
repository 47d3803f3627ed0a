import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { Page, Store } from "../../core/ports/store.ts";
import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { checkpointRow, runWriter } from "./writer.ts";

/** Demands on `runs` and `checkpoints`. */
export const listingDemands: readonly Demand[] = [
  [
    "runs are listed newest first, ties by id descending, whatever the order of writing",
    async ({ store, another }) => {
      for (const [id, createdAt] of [
        ["m", 20],
        ["a", 30],
        ["z", 10],
        ["k", 20],
        ["B", 20],
      ] as const) {
        await runWriter(store, id).commit([], { head: { createdAt } });
      }
      expectEqual(
        (await store.runs()).items.map(({ id }) => id),
        ["a", "m", "k", "B", "z"],
        "the order",
      );
      expectEqual(
        await pages(
          (after) => store.runs({ limit: 2, ...after }),
          ({ id }) => id,
        ),
        [["a", "m"], ["k", "B"], ["z"]],
        "pages of two",
      );
      const reader = await another();
      expectEqual(
        (await reader.runs({ limit: 5 })).items.map(({ id }) => id),
        ["a", "m", "k", "B", "z"],
        "the order in another store",
      );
      expectEqual((await reader.runs({ limit: 5 })).next, undefined, "the next page of a page that holds all");
    },
  ],
  [
    "runs are filtered by workflow, status and whether another run called them",
    async ({ store }) => {
      await runWriter(store, "run_1").commit([], { head: { workflow: "w1", createdAt: 1 } });
      await runWriter(store, "run_2").commit([], { head: { workflow: "w2", createdAt: 2, status: "paused" } });
      await runWriter(store, "run_3").commit([], { head: { workflow: "w2", createdAt: 3, parent: { run: "run_1", block: "b" } } });
      const list = async (query: Parameters<Store["runs"]>[0]): Promise<string[]> => (await store.runs(query)).items.map(({ id }) => id);
      expectEqual(await list({ workflow: "w2" }), ["run_3", "run_2"], "by workflow");
      expectEqual(await list({ status: "paused" }), ["run_2"], "by status");
      expectEqual(await list({ topLevel: true }), ["run_2", "run_1"], "top level");
      expectEqual(await list({ workflow: "w2", status: "running", topLevel: true }), [], "all three");
      expectEqual(
        await pages(
          (after) => store.runs({ workflow: "w2", limit: 1, ...after }),
          ({ id }) => id,
        ),
        [["run_3"], ["run_2"]],
        "pages",
      );
      await runWriter(store, "run_1", await store.head("run_1")).commit([], { head: { status: "completed" } });
      expectEqual(await list({ status: "completed" }), ["run_1"], "after a change of status");
    },
  ],
  [
    "checkpoints are listed newest first, ties by run and number descending",
    async ({ store, another }) => {
      const rows = [
        checkpointRow("run_a", 0, { createdAt: 5 }),
        checkpointRow("run_b", 2, { createdAt: 5 }),
        checkpointRow("run_b", 10, { createdAt: 5 }),
        checkpointRow("run_a", 1, { createdAt: 9, kind: "pause" }),
        checkpointRow("run_a", 2, { createdAt: 1, workflow: "other" }),
        checkpointRow("run_a", 1, { createdAt: 9 }),
      ];
      const [a, b] = [runWriter(store, "run_a"), runWriter(store, "run_b")];
      for (const row of rows) await (row.run === "run_a" ? a : b).commit(["{}"], { checkpoints: [row] });
      const order = [rows[5], rows[3], rows[2], rows[1], rows[0], rows[4]];
      expectEqual((await store.checkpoints()).items, order, "the order");
      expectEqual((await (await another()).checkpoints()).items, order, "the order in another store");
      expectEqual(
        (
          await pages(
            (after) => store.checkpoints({ limit: 1, ...after }),
            (row) => row,
          )
        ).flat(),
        order,
        "pages of one",
      );
      expectEqual((await store.checkpoints({ run: "run_b" })).items, [rows[2], rows[1]], "by run");
      expectEqual((await store.checkpoints({ kind: "pause" })).items, [rows[3]], "by kind");
      expectEqual((await store.checkpoints({ workflow: "other" })).items, [rows[4]], "by workflow");
      expectEqual(
        (
          await pages(
            (after) => store.checkpoints({ run: "run_a", kind: "wave", limit: 2, ...after }),
            (row) => row,
          )
        ).flat(),
        [rows[5], rows[0], rows[4]],
        "pages of a filter",
      );
    },
  ],
  [
    "a row that is forgotten is gone, and can be written again in the same commit",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(["{}"], {
        checkpoints: [checkpointRow("run_a", 0), checkpointRow("run_a", 0, { kind: "pause" }), checkpointRow("run_a", 1)],
      });
      await writer.commit(["{}"], {
        forgotten: [
          { kind: "wave", number: 0 },
          { kind: "wave", number: 77 },
        ],
      });
      const moved = checkpointRow("run_a", 1, { createdAt: 3, entries: 2 });
      await writer.commit([], { forgotten: [{ kind: "wave", number: 1 }], checkpoints: [moved] });
      const wanted = [checkpointRow("run_a", 0, { kind: "pause" }), moved];
      expectEqual((await store.checkpoints()).items, wanted, "the rows");
      expectEqual((await (await another()).checkpoints({ run: "run_a" })).items, wanted, "the rows in another store");
      await writer.commit([], { forgotten: [{ kind: "wave", number: 1 }], checkpoints: [checkpointRow("run_a", 1)] });
      expectEqual(
        (await store.checkpoints({ kind: "wave" })).items,
        [checkpointRow("run_a", 1)],
        "a row forgotten and written in one commit",
      );
    },
  ],
  [
    "queries that make no sense are refused",
    async ({ store }) => {
      for (const limit of [0, 1001, 1.5, NaN]) {
        await expectCode(() => store.runs({ limit }), "STORE_QUERY_INVALID", `a page of ${limit} runs`);
        await expectCode(() => store.checkpoints({ limit }), "STORE_QUERY_INVALID", `a page of ${limit} checkpoints`);
      }
      await expectCode(() => store.runs({ after: "nowhere" }), "STORE_QUERY_INVALID", "an unknown place in the runs");
      await expectCode(() => store.checkpoints({ after: "1 run_a 0 door" }), "STORE_QUERY_INVALID", "an unknown place in the checkpoints");
    },
  ],
  [
    "a long list of checkpoints is walked page by page without a gap",
    async ({ store, another, scale }) => {
      const writer = runWriter(store, "run_long");
      const size = Math.min(1000, scale);
      for (let first = 0; first < scale; first += size) {
        const rows = Array.from({ length: Math.min(size, scale - first) }, (_, index) => checkpointRow("run_long", first + index));
        await writer.commit([`{"first":${first}}`], { checkpoints: rows, durability: "relaxed" });
      }
      const reader = await another();
      const newest = (await reader.checkpoints({ limit: 20 })).items;
      expectEqual(
        newest,
        Array.from({ length: Math.min(20, scale) }, (_, index) => checkpointRow("run_long", scale - 1 - index)),
        "the newest 20",
      );
      let expected = scale - 1;
      for await (const rows of walk((after) => reader.checkpoints({ run: "run_long", limit: 1000, ...after }))) {
        for (const row of rows) {
          expectEqual(row.number, expected, "the next number");
          expected -= 1;
        }
      }
      expectEqual(expected, -1, "rows that were not listed");
    },
  ],
];

type After = { readonly after?: string };

async function* walk<T extends object>(ask: (after: After) => Promise<Page<T>>): AsyncGenerator<readonly T[], void, undefined> {
  let page = await ask({});
  yield page.items;
  while (page.next !== undefined) {
    page = await ask({ after: page.next });
    yield page.items;
  }
}

async function pages<T extends object, R extends string | CheckpointRow>(
  ask: (after: After) => Promise<Page<T>>,
  pick: (item: T) => R,
): Promise<R[][]> {
  const all: R[][] = [];
  for await (const items of walk(ask)) all.push(items.map(pick));
  return all;
}
