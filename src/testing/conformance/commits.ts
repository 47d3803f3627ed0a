import { isWorkflowError } from "../../core/model/errors.ts";
import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { checkpointRow, nextHead, runWriter } from "./writer.ts";

/** Demands on `commit`, `head`, `read` and `delete`. */
export const commitDemands: readonly Demand[] = [
  [
    "nothing is stored of a run that was never written",
    async ({ store }) => {
      expectEqual(await store.head("run_none"), undefined, "the head of an unknown run");
      expectEqual(await store.read("run_none"), [], "the journal of an unknown run");
      await store.delete("run_none");
    },
  ],
  [
    "a commit is read back as it was written: head, entries in order, rows",
    async ({ store }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(['{"n":0}', '{"n":1}'], {
        head: {
          status: "paused",
          pauses: [{ id: "pause_a.0", path: ["a", "b"], prompt: "Which?" }],
          parent: { run: "run_p", block: "call" },
        },
        checkpoints: [checkpointRow("run_a", 0, { kind: "pause" }), checkpointRow("run_a", 0)],
      });
      expectEqual(await store.head("run_a"), writer.head, "the head");
      expectEqual(await store.read("run_a"), ['{"n":0}', '{"n":1}'], "the journal");
      await writer.commit([], { head: { epoch: 2, status: "running", pauses: [] } });
      expectEqual(await store.head("run_a"), writer.head, "the head after a commit without entries");
      await writer.commit(['{"n":2}'], {
        head: { status: "failed", error: { code: "BLOCK_FAILED", message: "No." } },
        durability: "relaxed",
      });
      expectEqual(await store.head("run_a"), writer.head, "the head after a relaxed commit");
      expectEqual(await store.read("run_a", { from: 1 }), ['{"n":1}', '{"n":2}'], "entries from a position");
      expectEqual(await store.read("run_a", { from: 1, to: 2 }), ['{"n":1}'], "entries of a range");
      expectEqual(await store.read("run_a", { from: 3 }), [], "entries past the end");
      expectEqual(await store.read("run_a", { to: 0 }), [], "an empty range");
      await expectCode(() => store.read("run_a", { from: -1 }), "STORE_QUERY_INVALID", "a position below 0");
    },
  ],
  [
    "fields that leave the head are gone",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(["{}"], { head: { status: "failed", error: { code: "BLOCK_FAILED", message: "No." } } });
      const { error: _, ...healed } = nextHead("run_a", writer.head, 0, { status: "running" });
      await store.commit({ run: "run_a", expected: { revision: 1, epoch: 1 }, head: healed, entries: [], durability: "strict" });
      expectEqual(await store.head("run_a"), healed, "the head");
      if (store.durable) expectEqual(await (await another()).head("run_a"), healed, "the head in another store");
    },
  ],
  [
    "a writer that did not see the newest head is refused and leaves no trace",
    async ({ store }) => {
      const writer = runWriter(store, "run_a");
      await writer.commit(["{}"], { head: { epoch: 3 } });
      await writer.commit(["{}"], { checkpoints: [checkpointRow("run_a", 0)] });
      const stale = { ...writer.head!, revision: 2, entries: 3 };
      const attempts = [
        undefined,
        { revision: 1, epoch: 3 },
        { revision: 2, epoch: 2 },
        { revision: 2, epoch: 4 },
        { revision: 7, epoch: 3 },
      ];
      for (const expected of attempts) {
        await expectCode(
          () =>
            store.commit({
              run: "run_a",
              expected,
              head: { ...stale, revision: (expected?.revision ?? 0) + 1, epoch: expected?.epoch ?? 3 },
              entries: ['"trace"'],
              checkpoints: [checkpointRow("run_a", 9)],
              forgotten: [{ kind: "wave", number: 0 }],
              durability: "strict",
            }),
          "STORE_CONFLICT",
          `a writer that saw ${JSON.stringify(expected)}`,
        );
      }
      await expectCode(() => runWriter(store, "run_b", writer.head).commit(["{}"]), "STORE_FAILED", "a head of another run");
      expectEqual(await store.head("run_a"), writer.head, "the head");
      expectEqual(await store.read("run_a"), ["{}", "{}"], "the journal");
      expectEqual((await store.checkpoints()).items, [checkpointRow("run_a", 0)], "the checkpoints");
      expectEqual(await store.head("run_b"), undefined, "the other run");
      await writer.commit(["{}"]);
    },
  ],
  [
    "of many writers at once exactly one wins each revision, in one store and in two",
    async ({ store, another }) => {
      const stores = [store, await another()];
      for (let round = 0; round < 8; round += 1) {
        const seen = await store.head("run_race");
        const attempts = Array.from({ length: 8 }, async (_, index) => {
          const writer = runWriter(stores[index % 2]!, "run_race", seen);
          await writer.commit([JSON.stringify({ round, index })]);
          return index;
        });
        const outcomes = await Promise.allSettled(attempts);
        const winners = outcomes.filter((outcome) => outcome.status === "fulfilled");
        const losers = outcomes.filter((outcome) => outcome.status === "rejected");
        expectEqual(winners.length, 1, `winners of round ${round}`);
        for (const { reason } of losers) expectEqual(isWorkflowError(reason) ? reason.code : String(reason), "STORE_CONFLICT", "a loser");
        expectEqual(
          (await stores[1]!.read("run_race", { from: round }))[0],
          JSON.stringify({ round, index: winners[0]!.value }),
          "the entry",
        );
        expectEqual((await stores[1]!.head("run_race"))?.entries, round + 1, "entries");
      }
    },
  ],
  [
    "commits that are not awaited one by one keep their order",
    async ({ store, another }) => {
      let head = undefined as ReturnType<typeof nextHead> | undefined;
      const commits: Promise<void>[] = [];
      for (let index = 0; index < 50; index += 1) {
        const next = nextHead("run_a", head, 1);
        const expected = head && { revision: head.revision, epoch: head.epoch };
        commits.push(
          store.commit({ run: "run_a", expected, head: next, entries: [`{"n":${index}}`], durability: index % 2 ? "strict" : "relaxed" }),
        );
        head = next;
      }
      await Promise.all(commits);
      const wanted = Array.from({ length: 50 }, (_, index) => `{"n":${index}}`);
      expectEqual(await store.read("run_a"), wanted, "the journal");
      if (store.durable) expectEqual(await (await another()).read("run_a"), wanted, "the journal in another store");
    },
  ],
  [
    "readers never see part of a commit",
    async ({ store, another }) => {
      const reader = await another();
      const writer = runWriter(store, "run_a");
      let writing = true;
      const reading = (async () => {
        let reads = 0;
        for (; writing || reads === 0; reads += 1) {
          const [head, entries] = [await reader.head("run_a"), await reader.read("run_a")];
          expectEqual(entries.length % 3, 0, "entries of whole commits");
          // A store that reads without waiting would give the writer no turn.
          await new Promise((resolve) => setTimeout(resolve, 0));
          if (head !== undefined && entries.length < head.entries)
            throw new Error("the journal is shorter than the head, read before it, says");
        }
      })();
      try {
        for (let index = 0; index < 30; index += 1) await writer.commit(["{}", "{}", "{}"]);
      } finally {
        writing = false;
        await reading;
      }
      expectEqual((await reader.read("run_a")).length, 90, "entries");
    },
  ],
  [
    "a deleted run is gone with all that belongs to it, and its id is free again",
    async ({ store, another }) => {
      const writer = runWriter(store, "run_a");
      await runWriter(store, "run_b").commit(["{}"], { checkpoints: [checkpointRow("run_b", 0)] });
      await writer.commit(["{}"], { checkpoints: [checkpointRow("run_a", 0)] });
      await store.delete("run_a");
      expectEqual(await store.head("run_a"), undefined, "the head");
      expectEqual(await store.read("run_a"), [], "the journal");
      expectEqual(
        (await store.runs()).items.map(({ id }) => id),
        ["run_b"],
        "the runs",
      );
      expectEqual((await store.checkpoints()).items, [checkpointRow("run_b", 0)], "the checkpoints");
      await expectCode(() => writer.commit(["{}"]), "STORE_CONFLICT", "a writer that did not notice");
      await runWriter(store, "run_a").commit(["[]"]);
      expectEqual(await (await another()).read("run_a"), ["[]"], "the new journal");
    },
  ],
];
