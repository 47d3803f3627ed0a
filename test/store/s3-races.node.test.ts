import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Store } from "wavepoint";
import { s3Store } from "wavepoint/store/s3";
import { runWriter } from "wavepoint/testing";
import { freezable } from "../support/freezable.ts";
import { signedFetch as fetch, startS3Stub, type S3Stub } from "../support/s3-stub.ts";

const LEASE_MS = 3_000;

let stub: S3Stub;
beforeAll(async () => {
  stub = await startS3Stub();
});
afterAll(() => stub.stop());
afterEach(() => {
  stub.fault = () => undefined;
});

let places = 0;
const newPrefix = (): string => `place${(places += 1)}`;
const newStore = (prefix: string): Store => s3Store({ bucket: stub.bucket, prefix, fetch });

test("D8: of two writers that move a run at the same moment, lists show the run as one writer left it, once", async () => {
  const prefix = newPrefix();
  const [store, other] = [newStore(prefix), newStore(prefix)];
  const writer = runWriter(store, "run_a");
  await writer.commit(["0"]);
  const late = runWriter(other, "run_a", writer.head);
  // Both know how the run stands.
  await other.head("run_a");
  const changedAt = writer.head!.changedAt + 5;
  const outcomes = await Promise.allSettled([
    writer.commit(["1"], { head: { status: "paused", changedAt } }),
    late.commit(["1"], { head: { status: "cancelled", changedAt } }),
  ]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { status } = (await store.head("run_a"))!;
  for (const oldestFirst of [false, true]) {
    expect((await newStore(prefix).runs({ oldestFirst })).items.map((head) => head.status)).toEqual([status]);
  }
  expect((await store.runs({ status: status === "paused" ? "cancelled" : "paused" })).items).toEqual([]);
  // Who was refused leaves nothing in the lists.
  const keys = [...stub.objects.keys()].filter((key) => /\/(newest|oldest)\//.test(key) && key.startsWith(`${prefix}/`));
  expect(keys).toHaveLength(2);
  await store.delete("run_a");
  expect((await store.usage()).runs).toBe(0);
});

test.each([
  ["newest", {}],
  ["newest", { limit: 1 }],
  ["newest", { status: ["running", "paused"], limit: 2 }],
  ["oldest", { oldestFirst: true }],
] as const)("a run that moves while a list is read, %s first, is in it, once (%o)", async (order, query) => {
  const prefix = newPrefix();
  const store = newStore(prefix);
  const [writer, beside] = [runWriter(store, "run_a"), runWriter(store, "run_b")];
  await beside.commit(["0"], { head: { changedAt: 1_000 } });
  await writer.commit(["0"], { head: { changedAt: 2_000 } });
  let moves = 0;
  const reader = s3Store({
    bucket: stub.bucket,
    prefix,
    async fetch(url, init) {
      const answer = await fetch(url, init);
      if (moves === 0 && url.includes(`${order}%2F`)) {
        moves += 1;
        await writer.commit(["1"], { head: { status: "paused", changedAt: 3_000 } });
      }
      return answer;
    },
  });
  const all = order === "newest" ? [writer, beside] : [beside, writer];
  const { items, next } = await reader.runs(query);
  expect(moves).toBe(1);
  const expected = all.map(({ head }) => head);
  const limit = "limit" in query ? query.limit : 2;
  expect(items).toEqual(expected.slice(0, limit));
  expect(next !== undefined).toBe(limit === 1);
  if (next) expect((await reader.runs({ ...query, after: next })).items).toEqual(expected.slice(1));
});

test("D1: a writer that dies before its commit is there leaves a place that no list shows", async () => {
  const prefix = newPrefix();
  const store = newStore(prefix);
  const writer = runWriter(store, "run_a");
  await writer.commit(["0"]);
  const changedAt = writer.head!.changedAt + 5;
  const dying = s3Store({
    bucket: stub.bucket,
    prefix,
    async fetch(url, init) {
      if (init.method === "PUT" && url.includes("/runs/run_a/")) throw new Error("dead");
      return fetch(url, init);
    },
  });
  vi.useFakeTimers({ toFake: ["setTimeout"], shouldAdvanceTime: true, advanceTimeDelta: 1_000 });
  await runWriter(dying, "run_a", writer.head)
    .commit(["1"], { head: { status: "cancelled", changedAt } })
    .catch(() => {});
  vi.useRealTimers();
  await writer.commit(["1"], { head: { status: "paused", changedAt } });
  expect((await store.runs()).items.map(({ status }) => status)).toEqual(["paused"]);
  expect((await store.runs({ status: "cancelled" })).items).toEqual([]);
});

test.each(["cut behind by a base", "deleted"])("D8: a run that is %s while it is read is not taken for damaged", async (what) => {
  const prefix = newPrefix();
  const store = newStore(prefix);
  const writer = runWriter(store, "run_a");
  for (let count = 0; count < 80; count += 1) await writer.commit([String(count)]);
  let isStill = true;
  const reader = s3Store({
    bucket: stub.bucket,
    prefix,
    async fetch(url, init) {
      // It knows the newest object, and is about to read those before.
      if (isStill && init.method === "GET" && url.includes("/runs/run_a/")) {
        isStill = false;
        const answer = await fetch(url, init);
        if (what === "deleted") await store.delete("run_a");
        else await writer.commit(["80"], { base: { at: 80, text: "base" } });
        return answer;
      }
      return fetch(url, init);
    },
  });
  expect(await reader.read("run_a")).toEqual(what === "deleted" ? [] : ["base", "80"]);
  expect(isStill).toBe(false);
});

test("a run whose objects are missing is damaged, however often it is read", async () => {
  const prefix = newPrefix();
  const store = newStore(prefix);
  const writer = runWriter(store, "run_a");
  for (let count = 0; count < 5; count += 1) await writer.commit([String(count)]);
  const keys = [...stub.objects.keys()].filter((key) => key.startsWith(`${prefix}/runs/`));
  stub.objects.delete(keys[2]!);
  await expect(newStore(prefix).read("run_a")).rejects.toMatchObject({ code: "STORE_DATA_CORRUPT" });
});

test("a claim whose answer was lost is held, and released", async () => {
  const prefix = newPrefix();
  const [store, other] = [newStore(prefix), newStore(prefix)];
  let cuts = 0;
  stub.fault = (method, key) => (method === "PUT" && key.includes("/claims/") && (cuts += 1) === 1 ? "cut-after" : undefined);
  const release = await store.claim("run_a");
  expect(release).toBeTypeOf("function");
  expect([await store.claim("run_a"), await other.claim("run_a")]).toEqual([undefined, undefined]);
  await release!();
  expect(await other.claim("run_a")).toBeTypeOf("function");
  expect(cuts).toBeGreaterThan(1);
  await store.close();
  await other.close();
});

test("D8: a holder that slept until a second one came and went learns that it lost its run, and leaves the third one alone", async () => {
  const prefix = newPrefix();
  const { client, freeze } = freezable({ fetch });
  const open = (send: typeof fetch): Store => s3Store({ bucket: stub.bucket, prefix, fetch: send, leaseMs: LEASE_MS });
  const [sleeper, second, third] = [open((...asked) => client.fetch(...asked)), open(fetch), open(fetch)];
  const lost = vi.fn();
  const release = await sleeper.claim("run_a", lost);
  const thaw = freeze();
  const holds = await vi.waitUntil(() => second.claim("run_a"), { timeout: 30_000, interval: 200 });
  await holds();
  const lostByThird = vi.fn();
  expect(await third.claim("run_a", lostByThird)).toBeTypeOf("function");
  thaw();
  await expect.poll(() => lost).toHaveBeenCalled();
  await release!();
  expect(await second.claim("run_a")).toBeUndefined();
  expect(lostByThird).not.toHaveBeenCalled();
  for (const store of [sleeper, second, third]) await store.close();
});

test("drafts that are put one after another stay in this order", async () => {
  let count = 0;
  const store = s3Store({
    bucket: stub.bucket,
    prefix: newPrefix(),
    // The first takes longest.
    async fetch(url, init) {
      if (init.method === "PUT" && url.includes("/notes/")) await new Promise((resolve) => setTimeout(resolve, 60 - 20 * (count += 1)));
      return fetch(url, init);
    },
  });
  await runWriter(store, "run_a").commit(["0"]);
  await Promise.all(["a", "ab", "abc"].map((text) => store.putNote("run_a", "draft.0", text)));
  expect(await store.notes("run_a")).toEqual([{ key: "draft.0", text: "abc" }]);
});

test("what S3 calls too slow is sent again", async () => {
  let slow = 1;
  const store = s3Store({
    bucket: stub.bucket,
    prefix: newPrefix(),
    fetch: async (url, init) =>
      slow-- > 0 ? new Response("<Error><Code>RequestTimeout</Code></Error>", { status: 400 }) : fetch(url, init),
  });
  await runWriter(store, "run_a").commit(["0"]);
  expect(await store.read("run_a")).toEqual(["0"]);
});
