import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { openStore } from "wavepoint/store/open";
import { s3Store } from "wavepoint/store/s3";
import { runWriter, storeConformance } from "wavepoint/testing";
import { freezable } from "../support/freezable.ts";
import { freePort } from "../support/free-port.ts";
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

const newPrefix = (): string => `place${(places += 1)}`;
let places = 0;
const cases = storeConformance(
  async () => {
    const prefix = newPrefix();
    const opened = new Map<Store, () => () => void>();
    return {
      async open() {
        const { client, freeze } = freezable({ fetch });
        const store = s3Store({ bucket: stub.bucket, prefix, fetch: (...asked) => client.fetch(...asked), leaseMs: LEASE_MS });
        opened.set(store, freeze);
        return store;
      },
      freeze: async (store) => opened.get(store)!(),
      dispose: async () => {
        for (const key of stub.objects.keys()) if (key.startsWith(`${prefix}/`)) stub.objects.delete(key);
      },
    };
  },
  { leaseMs: LEASE_MS, scale: 300 },
);
for (const { name, run } of cases) test(name, run, 60_000);

const newStore = (prefix = newPrefix()): Store => s3Store({ bucket: stub.bucket, prefix, fetch });

test("a commit takes two requests", async () => {
  const store = newStore();
  const writer = runWriter(store, "run_a");
  await writer.commit(["0"]);
  stub.requests.length = 0;
  await writer.commit(["1"]);
  expect(stub.requests.map((request) => request.split(" ")[0])).toEqual(["PUT", "GET"]);
});

test("requests that fail for now are repeated: too many at once, two at the same time, a connection that is cut before or after", async () => {
  const store = newStore();
  const writer = runWriter(store, "run_a");
  await writer.commit(["0"]);
  for (const [index, fault] of ([409, 503, "cut", "cut-after"] as const).entries()) {
    let count = 0;
    // Each request fails the first time, the creation of the object included: it may find its own there.
    const seen = new Set<string>();
    stub.fault = (method, key) => {
      if (seen.has(method + key)) return undefined;
      seen.add(method + key);
      count += 1;
      return fault;
    };
    await writer.commit([String(index + 1)], { head: { status: index % 2 === 0 ? "paused" : "running" } });
    expect(count).toBeGreaterThan(2);
    expect((await store.read("run_a")).at(-1)).toBe(String(index + 1));
  }
  stub.fault = () => undefined;
  expect(await newStore(`place${places}`).read("run_a")).toEqual(["0", "1", "2", "3", "4"]);
});

test("a connection that is cut within an answer is no damage: what was asked is asked again", async () => {
  const cut = new Set<string>();
  const cutting: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "GET" || cut.has(url)) return response;
    cut.add(url);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("{"));
        controller.error(new TypeError("terminated"));
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
  const prefix = newPrefix();
  await runWriter(newStore(prefix), "run_a").commit(["0"]);
  await newStore(prefix).putBlob("f00d", new Uint8Array([1, 2]));
  const store = s3Store({ bucket: stub.bucket, prefix, fetch: cutting });
  expect([await store.read("run_a"), await store.getBlob("f00d")]).toEqual([["0"], new Uint8Array([1, 2])]);
  expect((await store.runs()).items).toHaveLength(1);
  expect(cut.size).toBeGreaterThan(4);
});

test("an answer that is no list, as that of a proxy, is not taken for an empty one", async () => {
  const prefix = newPrefix();
  await runWriter(newStore(prefix), "run_a").commit(["0"]);
  const astray: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    return url.includes("list-type") ? new Response("<html>Sign in</html>", { headers: response.headers }) : response;
  };
  const store = s3Store({ bucket: stub.bucket, prefix, fetch: astray });
  await expect(store.head("run_a")).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("no list of objects") });
  await expect(store.runs()).rejects.toMatchObject({ code: "STORE_FAILED" });
});

test("D1: a process that dies at any of its requests leaves a run that is whole, listed once, and goes on", async () => {
  let isDone = false;
  for (let dead = 1; !isDone; dead += 1) {
    const prefix = newPrefix();
    const store = newStore(prefix);
    const writer = runWriter(store, "run_a");
    await writer.commit(["0"]);
    await store.putNote("run_a", "draft.0", "typed");
    let sent = 0;
    const dying = s3Store({
      bucket: stub.bucket,
      prefix,
      // From this request on nothing arrives any more.
      fetch: async (url, init) => ((sent += 1) >= dead ? new Response("<Code>Dead</Code>", { status: 400 }) : fetch(url, init)),
    });
    const head = writer.head!;
    const outcome = await runWriter(dying, "run_a", head)
      .commit(["1"], { head: { status: "paused", changedAt: head.changedAt + 5 }, dropNotes: ["draft.0"] })
      .then(
        () => "acknowledged",
        () => "unknown",
      );
    isDone = sent < dead;
    const other = newStore(prefix);
    const entries = await other.read("run_a");
    if (outcome === "acknowledged") expect(entries).toEqual(["0", "1"]);
    expect([["0"], ["0", "1"]]).toContainEqual(entries);
    expect((await other.runs()).items.map(({ id, entries: count }) => [id, count])).toEqual([["run_a", entries.length]]);
    expect((await other.runs({ status: entries.length === 2 ? "paused" : "running" })).items).toHaveLength(1);
    expect((await other.notes("run_a")).map(({ text }) => text)).toEqual(entries.length === 2 ? [] : ["typed"]);
    await runWriter(other, "run_a", await other.head("run_a")).commit(["more"]);
    expect(await other.read("run_a")).toEqual([...entries, "more"]);
    expect(dead).toBeLessThan(30);
  }
});

test("D8: a writer that slept while the objects behind its own were replaced and removed does not count", async () => {
  const prefix = newPrefix();
  const sleeper = runWriter(newStore(prefix), "run_a");
  await sleeper.commit(["0"]);
  const store = newStore(prefix);
  const writer = runWriter(store, "run_a", sleeper.head);
  for (let count = 1; count <= 80; count += 1)
    await writer.commit([String(count)], count % 20 === 0 ? { base: { at: count, text: "base" } } : {});
  const before = await store.read("run_a");
  await expect(sleeper.commit(["late"])).rejects.toMatchObject({ code: expect.stringMatching(/^STORE_(CONFLICT|FAILED)$/) });
  for (const one of [store, newStore(prefix)]) expect(await one.read("run_a")).toEqual(before);
  await store.delete("run_a");
  await expect(writer.commit(["late"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  await expect(sleeper.commit(["late"])).rejects.toMatchObject({ code: expect.stringMatching(/^STORE_(CONFLICT|FAILED)$/) });
  expect(await newStore(prefix).head("run_a")).toBeUndefined();
});

test("a service that replaces what it should refuse to replace is refused itself", async () => {
  stub.isCareless = true;
  await expect(newStore().runs()).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("If-None-Match") });
  stub.isCareless = false;
});

test("objects of a newer version, and a bucket that is not there, are refused", async () => {
  const prefix = newPrefix();
  await newStore(prefix).runs();
  stub.objects.set(`${prefix}/version`, { ...stub.objects.get(`${prefix}/version`)!, body: Buffer.from('{"version":99}') });
  await expect(newStore(prefix).runs()).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("version 99") });
  const nowhere = s3Store({ bucket: `${stub.endpoint}/none`, fetch });
  await expect(nowhere.runs()).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("NoSuchBucket") });
  expect(() => s3Store({ bucket: stub.bucket, prefix: "../other", fetch })).toThrow(
    expect.objectContaining({ code: "STORE_ADDRESS_INVALID" }),
  );
});

test("an address that cannot be read is refused; of a service that cannot be reached it is said why", async () => {
  await expect(openStore("s3://runs/%zz")).rejects.toMatchObject({ code: "STORE_ADDRESS_INVALID" });
  const store = s3Store({ bucket: `http://127.0.0.1:${await freePort()}/runs`, fetch });
  await expect(store.runs()).rejects.toMatchObject({ code: "STORE_LOST", message: expect.stringContaining("connect ECONNREFUSED") });
  await store.close();
});

test("a run whose newest object is damaged is named by lists, and the others are there", async () => {
  const prefix = newPrefix();
  const store = newStore(prefix);
  for (const run of ["run_a", "run_b"]) await runWriter(store, run).commit(["{}"]);
  const [key, object] = [...stub.objects].find(([name]) => name.startsWith(`${prefix}/runs/run_a/`))!;
  stub.objects.set(key, { ...object, body: Buffer.from('{"token":') });
  const { items, damaged } = await newStore(prefix).runs();
  expect([items.map(({ id }) => id), damaged?.map(({ run, error }) => [run, error.code])]).toEqual([
    ["run_b"],
    [["run_a", "STORE_DATA_CORRUPT"]],
  ]);
});

test("a release during a renewal frees the run", async () => {
  const prefix = newPrefix();
  let renewing = (): void => {};
  const isRenewing = new Promise<void>((resolve) => (renewing = resolve));
  const store = s3Store({
    bucket: stub.bucket,
    prefix,
    leaseMs: LEASE_MS,
    async fetch(url, init) {
      if (init.method === "PUT" && url.includes("/claims/") && init.headers["if-none-match"] === undefined) {
        renewing();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return fetch(url, init);
    },
  });
  const release = await store.claim("run_a");
  await isRenewing;
  await release!();
  expect(await newStore(prefix).claim("run_a")).toBeTypeOf("function");
});
