import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { SearchValues } from "../../core/model/run.ts";
import type { Page, Store } from "../../core/ports/store.ts";
import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { checkpointRow, runWriter } from "./writer.ts";

/** Demands on `runs` and `checkpoints`. */
export const listingDemands: readonly Demand[] = [
  [
    "runs are listed by their last change, newest first, ties by id descending, in any order of writing",
    async ({ store, another }) => {
      for (const [id, changedAt] of [
        ["m", 20],
        ["a", 30],
        ["z", 10],
        ["k", 20],
        ["B", 20],
      ] as const) {
        await runWriter(store, id).commit([], { head: { createdAt: 100 - changedAt, changedAt } });
      }
      const order = ["a", "m", "k", "B", "z"];
      expectEqual(await ids(store, {}), order, "the order");
      expectEqual(
        await pages(
          (after) => store.runs({ limit: 2, ...after }),
          ({ id }) => id,
        ),
        [["a", "m"], ["k", "B"], ["z"]],
        "pages of two",
      );
      expectEqual(
        await pages(
          (after) => store.runs({ limit: 2, oldestFirst: true, ...after }),
          ({ id }) => id,
        ),
        [["z", "B"], ["k", "m"], ["a"]],
        "pages of two, oldest first",
      );
      const reader = await another();
      expectEqual(await ids(reader, { limit: 5 }), order, "the order in another store");
      expectEqual(await ids(reader, { limit: 5, oldestFirst: true }), order.toReversed(), "the other order there");
      expectEqual((await reader.runs({ limit: 5 })).next, undefined, "the next page of a page that holds all");
    },
  ],
  [
    "runs are found by their values, page by page, as they stand; or the store refuses to look for them",
    async ({ store, another }) => {
      if (!store.searches) {
        await expectCode(() => store.runs({ where: { plan: "team" } }), "STORE_QUERY_INVALID", "a search in a store that has none");
        return;
      }
      const hostile = "x' or '1'='1'; --\u0000\ud800";
      const searches: readonly [id: string, search: SearchValues | undefined][] = [
        ["a", { plan: "team", seats: 1 }],
        ["b", { plan: "team", seats: 2 }],
        ["c", { plan: "solo", seats: 1 }],
        ["d", undefined],
        ["e", { plan: "team", seats: "1", [`__${"x".repeat(126)}`]: hostile }],
        ["f", { plan: "team", seats: 1, paid: true }],
      ];
      const writers = new Map(searches.map(([id]) => [id, runWriter(store, id)]));
      for (const [index, [id, search]] of searches.entries()) {
        const head = { changedAt: index, ...(search && { search }), ...(id === "f" && { workflow: "other", status: "paused" as const }) };
        await writers.get(id)!.commit(["{}"], { head });
      }
      for (const from of [store, await another()]) {
        expectEqual(await ids(from, { where: { plan: "team" } }), ["f", "e", "b", "a"], "runs with a value");
        expectEqual(await ids(from, { where: { plan: "team" }, oldestFirst: true }), ["a", "b", "e", "f"], "the same, oldest first");
        expectEqual(await ids(from, { where: { plan: "team", seats: 1 } }), ["f", "a"], "runs with two values");
        expectEqual(await ids(from, { where: { seats: "1" } }), ["e"], "runs with a text that looks like a number");
        expectEqual(await ids(from, { where: { paid: true } }), ["f"], "runs with true");
        expectEqual(await ids(from, { where: { plan: "team" }, workflow: "other", status: "paused" }), ["f"], "runs that meet all");
        expectEqual(
          await ids(from, { where: { plan: "team" }, status: ["completed", "running"] }),
          ["e", "b", "a"],
          "those of two statuses",
        );
        expectEqual(await ids(from, { where: { plan: "Team" } }), [], "another case");
        expectEqual(await ids(from, { where: { [`__${"x".repeat(126)}`]: hostile } }), ["e"], "a hostile value");
        expectEqual(
          await pages(
            (after) => from.runs({ where: { plan: "team", seats: 1 }, limit: 1, ...after }),
            ({ id }) => id,
          ),
          [["f"], ["a"]],
          "pages of one",
        );
      }
      await writers.get("a")!.commit(["{}"], { head: { changedAt: 20, status: "completed", search: { plan: "solo" } } });
      await writers.get("e")!.commit(["{}"], { head: { changedAt: 21, status: "completed" } });
      await store.delete("b");
      expectEqual(await ids(store, { where: { plan: "team" } }), ["e", "f"], "after changes");
      expectEqual(await ids(store, { where: { plan: "solo" }, status: "completed" }), ["a"], "a run whose value changed");
      expectEqual(await ids(store, { where: { seats: 2 } }), [], "what a deleted run was found by");
      for (const where of [{ plan: "" }, { plan: "x".repeat(257) }, { plan: Number.NaN }, { "a b": 1 }, { plan: null }]) {
        const wrong = where as unknown as SearchValues;
        await expectCode(() => store.runs({ where: wrong }), "STORE_QUERY_INVALID", JSON.stringify(where));
      }
    },
  ],
  [
    "a run that changes moves to the front of the lists of every store; a step moves nothing",
    async ({ store, another }) => {
      const other = await another();
      const writers = ["run_a", "run_b", "run_c"].map((id) => runWriter(store, id));
      for (const [index, writer] of writers.entries())
        await writer.commit(["{}"], { head: { changedAt: 10 + index, updatedAt: 10 + index } });
      for (const from of [store, other]) expectEqual(await ids(from, {}), ["run_c", "run_b", "run_a"], "at first");
      for (let step = 0; step < 40; step += 1) await writers[0]!.commit(["{}"]);
      for (const from of [store, other]) {
        const { items } = await from.runs();
        expectEqual(
          items.map(({ id }) => id),
          ["run_c", "run_b", "run_a"],
          "after steps",
        );
        expectEqual([items[2]?.entries, items[2]?.changedAt], [41, 10], "the head of the run that made them");
      }
      await writers[0]!.commit(["{}"], { head: { changedAt: 20, pauses: [{ id: "pause_a_0", path: ["ask"], prompt: "Which?" }] } });
      for (const from of [store, other]) expectEqual(await ids(from, {}), ["run_a", "run_c", "run_b"], "after a question");
      const taken = runWriter(other, "run_b", await other.head("run_b"));
      await taken.commit(["{}"], { head: { changedAt: 20, status: "completed", epoch: 2 } });
      for (const from of [store, other]) expectEqual(await ids(from, {}), ["run_b", "run_a", "run_c"], "after a change elsewhere");
      await store.delete("run_a");
      for (const from of [store, other]) expectEqual(await ids(from, {}), ["run_b", "run_c"], "after a run was deleted");
    },
  ],
  [
    "pages from the run on that was changed longest ago show every run, also those that change meanwhile",
    async ({ store, another }) => {
      const other = await another();
      const writers = Array.from({ length: 9 }, (_, number) => runWriter(store, `run_${number}`));
      for (const [number, writer] of writers.entries()) await writer.commit(["{}"], { head: { changedAt: number, updatedAt: number } });
      const seen: string[] = [];
      let page = await other.runs({ limit: 2, oldestFirst: true });
      for (let changedAt = 100; ; changedAt += 1) {
        for (const { id } of page.items) seen.push(id);
        if (page.next === undefined) break;
        // One that was shown, and one that was not.
        for (const number of changedAt < 103 ? [0, 8 - (changedAt - 100)] : []) {
          await writers[number]!.commit(["{}"], { head: { changedAt, status: "paused" } });
        }
        page = await other.runs({ limit: 2, oldestFirst: true, after: page.next });
      }
      expectEqual(
        [...new Set(seen)].toSorted(),
        writers.map((_, number) => `run_${number}`),
        "the runs that were shown",
      );
    },
  ],
  [
    "runs are filtered by workflow, statuses and whether another run called them",
    async ({ store }) => {
      await runWriter(store, "run_1").commit([], { head: { workflow: "w1", changedAt: 1 } });
      await runWriter(store, "run_2").commit([], { head: { workflow: "w2", changedAt: 2, status: "paused" } });
      await runWriter(store, "run_3").commit([], { head: { workflow: "w2", changedAt: 3, parent: { run: "run_1", block: "b" } } });
      await runWriter(store, "run_4").commit([], { head: { workflow: "w2", changedAt: 4, status: "failed" } });
      expectEqual(await ids(store, { workflow: "w2" }), ["run_4", "run_3", "run_2"], "by workflow");
      expectEqual(await ids(store, { status: "paused" }), ["run_2"], "by status");
      expectEqual(await ids(store, { status: ["paused", "running"] }), ["run_3", "run_2", "run_1"], "by two statuses");
      expectEqual(await ids(store, { status: ["failed", "paused", "failed"], oldestFirst: true }), ["run_2", "run_4"], "oldest first");
      expectEqual(await ids(store, { status: [] }), [], "by no status");
      expectEqual(await ids(store, { topLevel: true }), ["run_4", "run_2", "run_1"], "top level");
      expectEqual(await ids(store, { workflow: "w2", status: ["running", "cancelled"], topLevel: true }), [], "all three");
      expectEqual(await ids(store, { workflow: "w2", status: ["running", "paused"], limit: 1 }), ["run_3"], "the one changed last");
      for (const query of [{ workflow: "w2" }, { workflow: "w2", status: ["failed", "running", "paused"] }] as const) {
        expectEqual(
          await pages(
            (after) => store.runs({ ...query, limit: 1, ...after }),
            ({ id }) => id,
          ),
          [["run_4"], ["run_3"], ["run_2"]],
          "pages",
        );
      }
      await runWriter(store, "run_1", await store.head("run_1")).commit([], { head: { status: "completed" } });
      expectEqual(await ids(store, { status: "completed" }), ["run_1"], "after a change of status");
      expectEqual(await ids(store, { status: ["running"] }), ["run_3"], "with the status before");
    },
  ],
  [
    "lists show each run as it stands while runs are made, change, are taken over and deleted",
    async ({ store, another }) => {
      const other = await another();
      const writers = Array.from({ length: 8 }, (_, number) => runWriter(store, `run_${number}`));
      for (const [number, writer] of writers.entries()) {
        const workflow = number % 2 === 0 ? "even" : "odd";
        const checkpoints = [checkpointRow(`run_${number}`, 0, { createdAt: 10 + number, workflow })];
        await writer.commit(["{}"], { head: { changedAt: 10 + number, status: "paused", workflow }, checkpoints });
      }
      // Both know all of them before anything changes.
      for (const from of [store, other]) {
        expectEqual(await ids(from, { status: "paused", workflow: "odd" }), ["run_7", "run_5", "run_3", "run_1"], "at first");
      }
      const first = await store.runs({ status: "paused", limit: 2 });
      expectEqual(
        first.items.map(({ id }) => id),
        ["run_7", "run_6"],
        "the first page",
      );
      const taken = runWriter(other, "run_5", await other.head("run_5"));
      await taken.commit(["{}"], { head: { changedAt: 50, status: "completed", epoch: 2 } });
      await runWriter(other, "run_new").commit([], { head: { changedAt: 99, status: "paused", workflow: "odd" } });
      await other.delete("run_4");
      expectEqual(await ids(store, { status: "paused", limit: 2, after: first.next! }), ["run_3", "run_2"], "the page that follows");
      for (const from of [store, other]) {
        expectEqual(await ids(from, { status: "completed" }), ["run_5"], "with the new status");
        expectEqual(await ids(from, { status: "paused", workflow: "odd", limit: 3 }), ["run_new", "run_7", "run_3"], "with the old one");
        expectEqual(await ids(from, {}), ["run_new", "run_5", "run_7", "run_6", "run_3", "run_2", "run_1", "run_0"], "all");
      }
      // The first one takes it back, and the other one has to see it.
      await runWriter(store, "run_5", await store.head("run_5")).commit(["{}"], { head: { changedAt: 60, status: "paused", epoch: 3 } });
      const moved = checkpointRow("run_0", 1, { createdAt: 200, workflow: "even" });
      await writers[0]!.commit(["{}"], { checkpoints: [moved] });
      for (const from of [store, other]) {
        expectEqual(await ids(from, { status: "completed" }), [], "after it was taken back");
        expectEqual((await from.runs({ workflow: "odd", limit: 3 })).items[1]?.epoch, 3, "its epoch in a list");
        const rows = (await from.checkpoints({ limit: 4 })).items.map(({ run, number }) => `${run} ${number}`);
        expectEqual(rows, ["run_0 1", "run_7 0", "run_6 0", "run_5 0"], "the newest checkpoints");
        expectEqual((await from.checkpoints({ workflow: "even", run: "run_4" })).items, [], "those of a deleted run");
      }
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
        checkpointRow("run_a", 1, { createdAt: 4, kind: "requested" }),
      ];
      const [a, b] = [runWriter(store, "run_a"), runWriter(store, "run_b")];
      for (const row of rows) await (row.run === "run_a" ? a : b).commit(["{}"], { checkpoints: [row] });
      const order = [rows[5], rows[3], rows[2], rows[1], rows[0], rows[6], rows[4]];
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
      expectEqual((await store.checkpoints({ kind: "requested" })).items, [rows[6]], "those that were asked for");
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
      await expectCode(() => store.runs({ status: ["paused", "asleep" as "paused"] }), "STORE_QUERY_INVALID", "an unknown status");
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

async function ids(store: Store, query: Parameters<Store["runs"]>[0]): Promise<string[]> {
  return (await store.runs(query)).items.map(({ id }) => id);
}

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
