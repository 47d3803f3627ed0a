import * as fc from "fast-check";
import { openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isWorkflowError } from "../../../src/core/model/errors.ts";
import type { RunHead } from "../../../src/core/model/run.ts";
import type { Store } from "../../../src/core/ports/store.ts";
import { checkpointRow, nextHead, runWriter } from "../../../src/testing/conformance/writer.ts";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { clearDatabase } from "../../support/clear-database.ts";

const RUNS = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 200 : 20;

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const name = "writers";
let one: Store;
let two: Store;

beforeEach(() => {
  [one, two] = [indexedDbStore({ name }), indexedDbStore({ name })];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await one.close();
  await two.close();
  await clearDatabase(name);
});

async function everything(store: Store): Promise<unknown> {
  const heads = (await store.runs()).items;
  return {
    heads,
    journals: await Promise.all(heads.map(({ id }) => store.read(id))),
    single: await Promise.all(heads.map(({ id }) => store.head(id))),
    notes: await Promise.all(heads.map(({ id }) => store.notes(id))),
    rows: (await store.checkpoints()).items,
    ofRun: (await store.checkpoints({ run: "run_a" })).items,
  };
}

const NOTHING = { heads: [], journals: [], single: [], notes: [], rows: [], ofRun: [] };

test("a commit that follows the store's own last one reads nothing and writes one record", async () => {
  const writer = runWriter(one, "run_a");
  await writer.commit(["1"]);
  const calls = (["get", "getAll", "put", "add"] as const).map((method) => vi.spyOn(IDBObjectStore.prototype, method));
  await writer.commit(["2"], { checkpoints: [checkpointRow("run_a", 0)] });
  expect(calls.map((call) => call.mock.calls.length)).toEqual([0, 0, 0, 1]);
});

test("lists and heads tell of every commit at once, however many were written since a list last changed", async () => {
  const writer = runWriter(one, "run_a");
  for (let number = 0; number < 70; number += 1) {
    await writer.commit([`{"n":${number}}`], { checkpoints: [checkpointRow("run_a", number)] });
    expect(await two.head("run_a")).toEqual(writer.head);
    expect((await two.runs()).items).toEqual([writer.head]);
    expect((await two.checkpoints({ limit: 1 })).items).toEqual([checkpointRow("run_a", number)]);
    expect((await two.checkpoints({ run: "run_a" })).items).toHaveLength(number + 1);
    expect(await two.read("run_a", { from: number })).toEqual([`{"n":${number}}`]);
  }
});

test("D8: of two connections one wins each revision, whichever wrote the one before", async () => {
  let head: RunHead | undefined;
  for (let round = 0; round < 20; round += 1) {
    const writers = [one, two].map((store) => runWriter(store, "run_a", head));
    const outcomes = await Promise.allSettled(writers.map((writer, index) => writer.commit([`{"by":${index}}`])));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(outcomes[1 - winner]).toMatchObject({ reason: { code: "STORE_CONFLICT" } });
    head = writers[winner]!.head;
    expect(await one.read("run_a", { from: round })).toEqual([`{"by":${winner}}`]);
    expect(await two.head("run_a")).toEqual(head);
  }
});

test("a writer that goes on alone leaves no more behind than its journal, however often it is cut short", async () => {
  const writer = runWriter(one, "run_a");
  for (let at = 1; at <= 40; at += 1) await writer.commit([`{"n":${at}}`], { base: { at, text: `base ${at}` } });
  await one.close();
  const database = await openDB(name);
  const counts = [await database.count("journal"), await database.count("takeovers")];
  database.close();
  expect(counts).toEqual([1, 0]);
});

test.each([1, 2, 5])("a writer that slept while %i commits of another one were written and replaced leaves no trace", async (later) => {
  const writer = runWriter(one, "run_a");
  for (const entry of ["1", "2", "3"]) await writer.commit([entry]);
  const other = runWriter(two, "run_a", writer.head);
  for (let count = 0; count < later; count += 1) await other.commit(["{}"]);
  await other.commit([], { base: { at: 3 + later, text: "base" } });
  const before = await everything(two);
  await expect(writer.commit(["4"], { checkpoints: [checkpointRow("run_a", 4)] })).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(await everything(one)).toEqual(before);
  await two.delete("run_a");
  await expect(writer.commit(["4"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  for (const store of [one, two]) expect(await everything(store)).toEqual(NOTHING);
});

test("a commit that changes more than the journal is refused as a whole where another writer came before it", async () => {
  const writer = runWriter(one, "run_a");
  await writer.commit(["1"]);
  await runWriter(two, "run_a", writer.head).commit(["2"], { head: { status: "paused" } });
  const before = await everything(two);
  const late = writer.commit(["3", "4"], {
    head: { status: "completed" },
    checkpoints: [checkpointRow("run_a", 3)],
    dropNotes: ["draft.0"],
  });
  await expect(late).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(await everything(one)).toEqual(before);
});

test("a writer of a deleted run is kept out for good, also once the run that took its id was cut short", async () => {
  const writer = runWriter(one, "run_a");
  for (const entry of ["1", "2", "3"]) await writer.commit([entry]);
  await two.delete("run_a");
  const other = runWriter(two, "run_a");
  for (let at = 1; at <= 8; at += 1) await other.commit([`{"n":${at}}`]);
  await other.commit([], { base: { at: 8, text: "base" } });
  const before = await everything(two);
  await expect(writer.commit(["4"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(await everything(one)).toEqual(before);
});

test("the right revision with another epoch is refused", async () => {
  const writer = runWriter(one, "run_a");
  await writer.commit(["1"], { head: { epoch: 2 } });
  await writer.commit(["2"]);
  for (const epoch of [1, 3]) {
    await expect(runWriter(one, "run_a", { ...writer.head!, epoch }).commit(["no"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  }
  await writer.commit(["3"]);
  expect(await two.read("run_a")).toEqual(["1", "2", "3"]);
});

test.each([0, 1, 5])("a writer that slept through %i commits of another one and the deletion of the run leaves no trace", async (later) => {
  const writer = runWriter(one, "run_a");
  for (const entry of ["1", "2", "3"]) await writer.commit([entry], { checkpoints: [checkpointRow("run_a", Number(entry))] });
  const other = runWriter(two, "run_a", writer.head);
  for (let count = 0; count < later; count += 1) await other.commit(["{}"]);
  await two.delete("run_a");
  await expect(writer.commit(["4"], { checkpoints: [checkpointRow("run_a", 4)] })).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  for (const store of [one, two]) expect(await everything(store)).toEqual(NOTHING);
});

test.each([1, 2, 3, 4, 5, 8])("a writer of a deleted run does not write to one of %i commits that took its id", async (commits) => {
  const writer = runWriter(one, "run_a");
  for (const entry of ["1", "2", "3"]) await writer.commit([entry]);
  await two.delete("run_a");
  const other = runWriter(two, "run_a");
  for (let count = 0; count < commits; count += 1) await other.commit([`{"n":${count}}`], { head: { epoch: 7 } });
  const before = await everything(two);
  await expect(writer.commit(["4"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(await everything(one)).toEqual(before);
  await other.commit(["{}"]);
  expect(await one.head("run_a")).toEqual(other.head);
  await one.delete("run_a");
  await expect(other.commit(["{}"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(await everything(two)).toEqual(NOTHING);
});

test.each([0, 1, 40])("a commit whose acknowledgement was lost counts once, behind %i commits of another writer too", async (later) => {
  const writer = runWriter(one, "run_a");
  await writer.commit(["1"]);
  const other = runWriter(two, "run_a", nextHead("run_a", writer.head, 1));
  const { addEventListener } = IDBTransaction.prototype;
  let abort: EventListener | undefined;
  let isDue = false;
  let isLost = false;
  const listen = vi.spyOn(IDBTransaction.prototype, "addEventListener").mockImplementation(function (this: IDBTransaction, type, listener) {
    const aborts = isDue && type === "abort";
    if (aborts) {
      abort = listener as EventListener;
      listen.mockRestore();
    }
    isDue ||= type === "complete";
    if (type !== "complete") return aborts ? undefined : addEventListener.call(this, type, listener as EventListener);
    addEventListener.call(this, type, async (event) => {
      // The database of tests in Node listens to itself too: its event comes twice.
      if (isLost) return;
      isLost = true;
      for (let count = 0; count < later; count += 1) await other.commit(["{}"]);
      abort!(event);
    });
  });
  await writer.commit(["2"]);
  expect(abort).toBeDefined();
  expect(await two.read("run_a")).toEqual(["1", "2", ...Array(later).fill("{}")]);
  // What another writer wrote under the same key is not taken for one's own.
  if (later > 0) await expect(writer.commit(["{}"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
});

const commits = fc.record({
  by: fc.nat(1),
  fresh: fc.boolean(),
  entries: fc.array(fc.constantFrom("{}", "x".repeat(30_000)), { maxLength: 3 }),
  status: fc.constantFrom("running", "running", "running", "paused", "completed"),
  newEpoch: fc.boolean(),
  row: fc.option(fc.nat(5), { nil: undefined }),
  forgotten: fc.option(fc.nat(5), { nil: undefined }),
  /** How much of the journal a base stands for, in hundredths. */
  base: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  note: fc.option(fc.nat(2), { nil: undefined }),
  dropped: fc.option(fc.nat(2), { nil: undefined }),
  times: fc.constantFrom(1, 1, 2, 35),
});
const steps = fc.array(fc.oneof({ weight: 8, arbitrary: commits }, { weight: 1, arbitrary: fc.constant("delete" as const) }), {
  maxLength: 14,
});

test(
  "two stores write, forget, cut short and delete in turn, and both show what a store in memory shows",
  { timeout: 120_000 },
  async () => {
    let refused = 0;
    const attempt = async (
      step: typeof commits extends fc.Arbitrary<infer T> ? T : never,
      stores: readonly Store[],
      seen: RunHead | undefined,
    ) => {
      const outcomes: unknown[] = [];
      for (const store of stores) {
        const writer = runWriter(store, "run_a", seen);
        const changes = { status: step.status, epoch: (seen?.epoch ?? 1) + (step.newEpoch ? 1 : 0) } as const;
        try {
          if (step.note !== undefined) await store.putNote("run_a", `draft.${step.note}`, JSON.stringify(step));
          for (let count = 0; count < step.times; count += 1) {
            const length = (writer.head?.entries ?? 0) + step.entries.length;
            const at = step.base === undefined ? 0 : Math.max(writer.head?.base ?? 0, Math.ceil((length * step.base) / 100));
            await writer.commit(step.entries, {
              head: changes,
              ...(step.row !== undefined && { checkpoints: [checkpointRow("run_a", step.row + count)] }),
              ...(step.forgotten !== undefined && { forgotten: [{ kind: "wave", number: step.forgotten }] }),
              ...(at > 0 && { base: { at, text: `base ${at}` } }),
              ...(step.dropped !== undefined && { dropNotes: [`draft.${step.dropped}`] }),
            });
          }
          outcomes.push(writer.head);
        } catch (error) {
          if (!isWorkflowError(error)) throw error;
          outcomes.push(error.code);
          refused += 1;
        }
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
      return typeof outcomes[0] === "string" ? seen : (outcomes[0] as RunHead);
    };
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const memory = memoryStore();
        const pair = [one, two];
        const seen: (RunHead | undefined)[] = [undefined, undefined];
        await one.delete("run_a");
        for (const step of list) {
          if (step === "delete") {
            await Promise.all([memory.delete("run_a"), one.delete("run_a")]);
          } else {
            const { by } = step;
            if (step.fresh) seen[by] = await memory.head("run_a");
            seen[by] = await attempt(step, [memory, pair[by]!], seen[by]);
          }
        }
        const expected = await everything(memory);
        expect(await everything(one)).toEqual(expected);
        expect(await everything(two)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
    expect(refused).toBeGreaterThan(10);
  },
);
