import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { CheckpointQuery, CheckpointRow, Store } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { runWriter } from "wavepoint/testing";
import { clearDatabase } from "../../support/clear-database.ts";

const RUNS = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 200 : 20;

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const name = "checkpoint-lists";

afterEach(async () => {
  vi.restoreAllMocks();
  await clearDatabase(name);
});

async function pages(store: Store, query: CheckpointQuery): Promise<readonly CheckpointRow[]> {
  const rows: CheckpointRow[] = [];
  let after: string | undefined;
  do {
    const page = await store.checkpoints({ ...query, ...(after !== undefined && { after }) });
    rows.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return rows;
}

const commits = fc.array(
  fc.record({
    run: fc.nat(2),
    /** Milliseconds before its row is made; some wait for a while. */
    wait: fc.constantFrom(0, 0, 1, 7, 4_000, 11_000),
    rows: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom("wave", "wave", "pause"),
    status: fc.constantFrom("running", "running", "running", "paused"),
    forgets: fc.option(fc.nat(8), { nil: undefined }),
    times: fc.constantFrom(1, 3, 40),
  }),
  { maxLength: 12 },
);

test("all pages of a list, of any size, show what a store in memory shows", { timeout: 120_000 }, async () => {
  let longest = 0;
  await fc.assert(
    fc.asyncProperty(commits, fc.integer({ min: 1, max: 50 }), async (all, limit) => {
      const stores = [indexedDbStore({ name }), memoryStore()];
      for (const store of stores) {
        const writers = [0, 1, 2].map((run) => runWriter(store, `run_${run}`));
        const counts = [0, 0, 0];
        let now = 1_767_225_600_000;
        for (const { run, wait, rows, kind, status, forgets, times } of all) {
          for (let time = 0; time < times; time += 1) {
            now += wait;
            const workflow = `flow_${run % 2}`;
            const checkpoints = Array.from({ length: rows }, (): CheckpointRow => {
              const number = (counts[run]! += 1);
              return { run: `run_${run}`, workflow, kind, number, createdAt: now, entries: number };
            });
            const forgotten = forgets === undefined ? [] : [{ kind, number: forgets + time }];
            await writers[run]!.commit(["{}"], { head: { status, workflow, updatedAt: now + 3 }, checkpoints, forgotten });
          }
        }
      }
      for (const query of [{}, { run: "run_1" }, { workflow: "flow_0" }, { kind: "pause" }] as const) {
        const [shown, wanted] = await Promise.all(stores.map((store) => pages(store, { ...query, limit })));
        expect(shown).toEqual(wanted);
        longest = Math.max(longest, wanted!.length);
      }
      await stores[0]!.close();
      await clearDatabase(name);
    }),
    { numRuns: RUNS },
  );
  expect(longest).toBeGreaterThan(40);
});

test("D3: pages that begin amid checkpoints which one commit stored leave none of them out", async () => {
  const store = indexedDbStore({ name });
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  const checkpoints = numbers.map((number): CheckpointRow => ({
    run: "run_a",
    workflow: "flow",
    kind: "wave",
    number,
    createdAt: 1_767_225_600_000 + number * 800,
    entries: 1,
  }));
  await runWriter(store, "run_a").commit(["{}"], { checkpoints, head: { status: "completed" } });
  for (const query of [{}, { run: "run_a" }]) {
    expect((await pages(store, { ...query, limit: 2 })).map(({ number }) => number)).toEqual(numbers.toReversed());
  }
  await store.close();
});

test("the newest 20 of thousands of checkpoints take the reading of a few records", async () => {
  const store = indexedDbStore({ name });
  for (let run = 0; run < 3; run += 1) {
    const writer = runWriter(store, `run_${run}`);
    const checkpoints = Array.from({ length: 1_000 }, (_, number) => ({
      run: `run_${run}`,
      workflow: "flow",
      kind: "wave" as const,
      number,
      createdAt: 1_767_225_600_000 + number * 3 + run,
      entries: 1,
    }));
    await writer.commit(["{}"], { checkpoints, head: { status: "completed" } });
  }
  let read = 0;
  const { openCursor } = IDBIndex.prototype;
  vi.spyOn(IDBIndex.prototype, "openCursor").mockImplementation(function (this: IDBIndex, ...range) {
    const request = openCursor.apply(this, range);
    request.addEventListener("success", () => (read += 1));
    return request;
  });
  const whole = vi.spyOn(IDBObjectStore.prototype, "getAll");
  const { items } = await store.checkpoints({ limit: 20 });
  expect(items.map(({ run, number }) => `${run} ${number}`)).toEqual(
    Array.from({ length: 20 }, (_, index) => `run_${2 - (index % 3)} ${999 - Math.floor(index / 3)}`),
  );
  // One of each run, and the one behind them.
  expect(read).toBe(4);
  expect(whole).not.toHaveBeenCalled();
  await store.close();
});
