import { afterEach, describe, expect, test, vi } from "vitest";
import type { Store } from "wavepoint";
import { encryptedStore, type StoreSecret } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { runWriter } from "wavepoint/testing";
import { keyBytes } from "./keys.ts";

afterEach(() => void vi.unstubAllGlobals());

const WRONG = { code: "STORE_KEY_WRONG" };

async function cryptoKey(length: number, usages: KeyUsage[] = ["encrypt", "decrypt"], name = "AES-GCM"): Promise<CryptoKey> {
  return (await crypto.subtle.generateKey({ name, length }, false, usages)) as CryptoKey;
}

async function write(store: Store): Promise<void> {
  await runWriter(store, "run_a").commit(["an entry"]);
}

describe("a store opens", () => {
  test("by the bytes of a key, which are copied", async () => {
    const inner = memoryStore();
    const bytes = keyBytes(1);
    const opening = encryptedStore(inner, { key: bytes });
    await write(await opening);
    bytes.fill(9);
    expect(await (await encryptedStore(inner, { key: keyBytes(1) })).read("run_a")).toEqual(["an entry"]);
  });

  test("by a key that cannot be read", async () => {
    const inner = memoryStore();
    const key = await cryptoKey(256);
    await write(await encryptedStore(inner, { key }));
    expect(await (await encryptedStore(inner, { key })).read("run_a")).toEqual(["an entry"]);
  });

  test("by a passphrase, however its letters are composed", async () => {
    const inner = memoryStore();
    await write(await encryptedStore(inner, { passphrase: "caf\u00e9 at noon" }));
    expect(await (await encryptedStore(inner, { passphrase: "cafe\u0301 at noon" })).read("run_a")).toEqual(["an entry"]);
    const { sealed = "" } = (await inner.head("store.key"))!;
    expect(JSON.parse(sealed)).toMatchObject({ iterations: 600_000, salt: expect.stringMatching(/^[\w+/]{22}==$/) });
  });
});

describe("another key is refused at once", () => {
  const one = async (): Promise<CryptoKey> => cryptoKey(256);

  test.each<[what: string, right: StoreSecret, wrong: () => Promise<StoreSecret>]>([
    ["other bytes", { key: keyBytes(1) }, async () => ({ key: keyBytes(2) })],
    ["another key", { key: keyBytes(1) }, async () => ({ key: await one() })],
    ["a passphrase for a key", { key: keyBytes(1) }, async () => ({ passphrase: "right" })],
    ["another passphrase", { passphrase: "right" }, async () => ({ passphrase: "Right" })],
    ["a key for a passphrase", { passphrase: "right" }, async () => ({ key: keyBytes(1) })],
    ["an empty passphrase", { passphrase: "right" }, async () => ({ passphrase: "" })],
  ])("%s, with runs and without", async (_, right, wrong) => {
    const inner = memoryStore();
    const store = await encryptedStore(inner, right);
    const secret = await wrong();
    await expect(encryptedStore(inner, secret)).rejects.toMatchObject(WRONG);
    await write(store);
    await expect(encryptedStore(inner, secret)).rejects.toMatchObject(WRONG);
    expect(await store.read("run_a")).toEqual(["an entry"]);
  });

  test.each<[what: string, secret: () => Promise<unknown>]>([
    ["31 bytes", async () => ({ key: new Uint8Array(31) })],
    ["16 bytes", async () => ({ key: new Uint8Array(16) })],
    ["a short key", async () => ({ key: await cryptoKey(128) })],
    ["a key that may only decrypt", async () => ({ key: await cryptoKey(256, ["decrypt"]) })],
    ["a key for something else", async () => ({ key: await cryptoKey(256, ["encrypt", "decrypt"], "AES-CBC") })],
    ["an empty passphrase", async () => ({ passphrase: "" })],
    ["a text as a key", async () => ({ key: "k".repeat(32) })],
    ["nothing", async () => ({})],
  ])("what is no key makes no store: %s", async (_, secret) => {
    const inner = memoryStore();
    await expect(encryptedStore(inner, (await secret()) as StoreSecret)).rejects.toMatchObject(WRONG);
    expect((await inner.runs()).items).toEqual([]);
  });
});

test("tabs that open a new store at the same time have one key", async () => {
  const inner = memoryStore();
  const stores = await Promise.all(Array.from({ length: 4 }, () => encryptedStore(inner, { key: keyBytes(1) })));
  for (const [i, store] of stores.entries()) await runWriter(store, `run_${i}`).commit([`entry of ${i}`]);
  for (const store of stores) expect((await store.runs()).items).toHaveLength(4);
  expect(await stores[0]!.read("run_3")).toEqual(["entry of 3"]);
});

test("where there is no WebCrypto, nothing is opened and nothing is written in the clear", async () => {
  const inner = memoryStore();
  vi.stubGlobal("crypto", {});
  await expect(encryptedStore(inner, { key: keyBytes(1) })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect((await inner.runs()).items).toEqual([]);
});

describe("the record of the keys", () => {
  test("is no run: it is in no list and no count, and its id is refused", async () => {
    const inner = memoryStore();
    const store = await encryptedStore(inner, { key: keyBytes(1) });
    expect([await store.runs(), await store.usage()]).toMatchObject([{ items: [] }, { runs: 0 }]);
    await write(store);
    expect((await store.runs({ limit: 1 })).next).toBeUndefined();
    expect((await store.runs({ limit: 1, status: "running" })).next).toBeUndefined();
    expect(await store.usage()).toMatchObject({ runs: 1 });
    for (const call of [
      () => store.head("store.key"),
      () => store.read("store.key"),
      () => store.delete("store.key"),
      () => store.claim("store.key"),
      () => store.notes("store.key"),
      () => store.putNote("store.key", "a", "b"),
      () => runWriter(store, "store.key").commit([]),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "STORE_KEY_INVALID" });
    }
  });

  test("is looked for before a run is begun: what cannot be read again is not written", async () => {
    const inner = memoryStore();
    const store = await encryptedStore(inner, { key: keyBytes(1) });
    await inner.delete("store.key");
    await expect(write(store)).rejects.toMatchObject({ code: "STORE_TAMPERED" });
    expect(await inner.head("run_a")).toBeUndefined();
  });
});
