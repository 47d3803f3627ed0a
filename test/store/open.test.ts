import { expect, test } from "vitest";
import { openStore } from "wavepoint/store/open";

const inBrowser = "document" in globalThis;

test("memory: opens a store that keeps nothing", async () => {
  expect(await openStore("memory:")).toMatchObject({ kind: "memory", durable: false });
});

test.each([
  "",
  "  ",
  "memory:x",
  "indexeddb:",
  "file:",
  "sqlite:",
  "sqlite://",
  "postgres:",
  "postgresql://",
  "redis:",
  "rediss://",
  "s3:",
  "s3:///prefix",
  "http://host/",
])("%j is refused with the forms that are taken", async (address) => {
  await expect(openStore(address)).rejects.toMatchObject({
    code: "STORE_ADDRESS_INVALID",
    message: expect.stringContaining('"indexeddb:name"'),
  });
});

test.each(["mysql://root:hunter2@host/runs", "redis://:hunter2/@"])("%j is refused without its password", async (address) => {
  const error: unknown = await openStore(address).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "STORE_ADDRESS_INVALID", message: expect.stringContaining("://…@") });
  expect(String(error)).not.toContain("hunter2");
});

test.skipIf(inBrowser).each(["file://host/runs", "file:///runs%2Fother"])("%j names no directory of this machine", async (address) => {
  await expect(openStore(address)).rejects.toMatchObject({
    code: "STORE_ADDRESS_INVALID",
    message: expect.stringContaining(JSON.stringify(address)),
  });
});

test.skipIf(inBrowser).each(["./runs", "/tmp/runs", "file:runs", "file:///tmp/runs", "C:\\runs"])(
  "%j is a directory in Node",
  async (address) => {
    expect(await openStore(address)).toMatchObject({ kind: "filesystem", durable: true });
  },
);

test.runIf(inBrowser).each(["./runs", "sqlite:runs.db", "postgres://localhost/none", "redis://localhost", "s3://bucket"])(
  "a page cannot open %j",
  async (address) => {
    await expect(openStore(address)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  },
);

test("a page that prefers to forget gets memory where there is no such store, and what was asked for where there is", async () => {
  const store = await openStore("indexeddb:or-memory", { orMemory: true });
  expect(store).toMatchObject(inBrowser ? { kind: "indexeddb", durable: true } : { kind: "memory", durable: false });
  await store.close();
  await expect(openStore("indexeddb:", { orMemory: true })).rejects.toMatchObject({ code: "STORE_ADDRESS_INVALID" });
});

test("indexeddb:name opens a database, or says that there is none", async () => {
  const opening = openStore("indexeddb:by-address");
  if (inBrowser) await (await opening).close();
  else await expect(opening).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringContaining("memoryStore()") });
});
