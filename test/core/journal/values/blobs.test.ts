import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, WorkflowError, type RunHead, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore } from "wavepoint/testing";
import { MAX_VALUE_BYTES } from "../../../../src/core/model/limits.ts";
import { bytesOf, giveValue, GIVES, inShort, readValue } from "./give-value.ts";

const MEGABYTE = 1_048_576;

const headOf = async (store: Store, id: string): Promise<RunHead> => (await store.head(id))!;
const lengthOf = async (store: Store, id: string): Promise<number> => (await store.read(id)).join("").length;
const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The store with some of its blobs otherwise. */
function storeWith(store: Store, getBlob: Store["getBlob"]): Store {
  return { ...store, getBlob };
}

async function thrown(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "nothing",
    (error: unknown) => error,
  );
}

describe("large bytes", () => {
  test("are kept once under their hash, and the entry refers to them", async () => {
    const bytes = bytesOf(MEGABYTE);
    const given = await giveValue({ one: bytes, same: bytes.buffer, text: "beside" });
    const hash = await sha256(bytes);
    expect((await headOf(given.store, given.id)).blobs).toEqual([hash]);
    expect(inShort(await given.store.getBlob(hash))).toBe(inShort(bytes));
    expect(await lengthOf(given.store, given.id)).toBeLessThan(2_000);
    expect(inShort(given.seen)).toStrictEqual(inShort({ one: bytes, same: bytes.buffer, text: "beside" }));
    expect(inShort(await readValue(given))).toStrictEqual(inShort({ one: bytes, same: bytes.buffer, text: "beside" }));
  });

  test("keep their kind, and share no memory when two places have the same", async () => {
    const floats = new Float64Array(bytesOf(MEGABYTE).buffer);
    const view = new DataView(floats.buffer);
    const value = (await readValue(await giveValue([floats, floats, view]))) as [Float64Array, Float64Array, DataView];
    expect(value.map((part) => part.constructor)).toEqual([Float64Array, Float64Array, DataView]);
    value[0][0] = 1;
    expect(inShort(value[1].buffer)).toBe(inShort(floats.buffer));
    expect(inShort(value[2].buffer)).toBe(inShort(floats.buffer));
  });

  test("small ones stay in their entry, and so do many small ones after large ones", async () => {
    const small = await giveValue(bytesOf(300_000));
    expect((await headOf(small.store, small.id)).blobs).toBeUndefined();
    const many = [bytesOf(400_000), bytesOf(400_000, 2), ...Array.from({ length: 20 }, (_, i) => bytesOf(1_000, i + 3))];
    const mixed = await giveValue(many);
    expect((await headOf(mixed.store, mixed.id)).blobs).toEqual([await sha256(many[1]!)]);
    expect(inShort(await readValue(mixed))).toStrictEqual(inShort(many));
  });

  test("are stored before the entry that refers to them, and a store that cannot keep them stops the run", async () => {
    const store = memoryStore();
    // The first blob is the definition, the second write the start of the run.
    const failing = faultyStore(store, failAt(3));
    const give = defineBlock({ type: "Give", execute: async () => success({ value: bytesOf(MEGABYTE) }) });
    const run = await createExecutor({ store: failing, blocks: [give] }).start(GIVES);
    expect(await thrown(run.settled())).toMatchObject({ code: "STORE_FAILED" });
    const types = (await store.read(run.id)).map((text) => (JSON.parse(text) as { type: string }).type);
    expect(types).toEqual(["started"]);
    const again = await createExecutor({ store, blocks: [give] }).open(run.id);
    expect(inShort((await again.resume()).outputs)).toStrictEqual(inShort({ kept: bytesOf(MEGABYTE) }));
  });

  test("of questions and of what is carried over are kept too", async () => {
    const store = memoryStore();
    const asks = defineBlock({
      type: "Asks",
      execute: async ({ iteration, nextIteration }) =>
        iteration === 1 ? nextIteration(bytesOf(MEGABYTE, 2)) : pause({ prompt: "?", metadata: { bytes: bytesOf(MEGABYTE, 3) } }),
      resume: async ({ pause: { metadata }, inputs }) => success({ metadata, inputs }),
    });
    const run = await createExecutor({ store, blocks: [asks] }).start({ name: "asks", blocks: [{ id: "ask", type: "Asks" }] });
    await run.settled();
    expect((await headOf(store, run.id)).blobs).toEqual([await sha256(bytesOf(MEGABYTE, 2)), await sha256(bytesOf(MEGABYTE, 3))]);
    const again = await createExecutor({ store, blocks: [asks] }).open(run.id);
    expect(inShort(again.getSnapshot().pauses[0]!.metadata)).toStrictEqual(inShort({ bytes: bytesOf(MEGABYTE, 3) }));
    expect(await again.answer(again.getSnapshot().pauses[0]!.id, "x")).toMatchObject({ status: "success" });
    expect(inShort((await again.steps()).at(-1)!.outputs)).toMatchObject({ metadata: inShort({ bytes: bytesOf(MEGABYTE, 3) }) });
  });

  test("more than a value may hold are refused", async () => {
    const { result } = await giveValue(new Uint8Array(MAX_VALUE_BYTES + 1));
    expect(result).toMatchObject({ error: { code: "LIMIT_EXCEEDED", details: { limit: MAX_VALUE_BYTES } } });
  });

  test("a fork refers to them as well", async () => {
    const store = memoryStore();
    const give = defineBlock({ type: "Give", execute: async () => success({ value: bytesOf(MEGABYTE) }) });
    const executor = createExecutor({ store, blocks: [give] });
    const flow = { ...GIVES, blocks: [...GIVES.blocks, { id: "ask", type: "GetInput", inputs: { prompt: "?" }, dependsOn: ["give"] }] };
    const run = await executor.start(flow);
    const { pauses } = await run.settled();
    const fork = await executor.resume(pauses![0]!.id, "x", { fork: true });
    expect(inShort(fork.outputs)).toStrictEqual(inShort({ kept: bytesOf(MEGABYTE) }));
    expect((await headOf(store, fork.run)).blobs).toEqual([await sha256(bytesOf(MEGABYTE))]);
  });
});

describe("a blob that is not what it was", () => {
  const bytes = bytesOf(MEGABYTE);
  test.each<readonly [what: string, blob: Store["getBlob"]]>([
    ["missing", async () => undefined],
    ["changed", async () => bytesOf(MEGABYTE, 7)],
    ["cut", async () => bytes.slice(1)],
    ["a text", async () => "text"],
  ])("%s: the run is damaged, and says which blob it is; others are not touched", async (_what, getBlob) => {
    const damaged = await giveValue({ bytes });
    const { id: other } = await giveValue("fine", { store: damaged.store });
    const hash = await sha256(bytes);
    const store = storeWith(damaged.store, async (asked) => (asked === hash ? getBlob(asked) : damaged.store.getBlob(asked)));
    const executor = createExecutor({ store });
    expect(await thrown(executor.open(damaged.id))).toMatchObject({
      code: "RUN_CORRUPT",
      details: { run: damaged.id, blob: hash, entry: 1 },
    });
    expect((await (await executor.open(other)).settled()).outputs).toEqual({ kept: "fine" });
    expect((await executor.runs.list()).items).toHaveLength(2);
  });

  test("a store that fails while reading one says so, and the run is not called damaged", async () => {
    const given = await giveValue({ bytes });
    const hash = await sha256(bytes);
    const store = storeWith(given.store, async (asked) => {
      if (asked === hash) throw new WorkflowError("STORE_LOST", "The connection broke.");
      return given.store.getBlob(asked);
    });
    expect(await thrown(createExecutor({ store }).open(given.id))).toMatchObject({ code: "STORE_LOST" });
  });
});
