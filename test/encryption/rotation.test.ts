import { describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { encryptedStore, rotateKey } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore, runWriter } from "wavepoint/testing";
import { attackedStore } from "./attack.ts";
import { keyBytes } from "./keys.ts";

const [OLD, NEW, NEWEST] = [{ key: keyBytes(1) }, { key: keyBytes(2) }, { key: keyBytes(3) }];
const ROTATION = { from: OLD, to: NEW };
const WRONG = { code: "STORE_KEY_WRONG" };
const RUNS = Array.from({ length: 5 }, (_, i) => `run_${i}`);

/** A store with five runs, a note each, and a blob. */
async function filled(): Promise<{ readonly inner: Store; readonly store: Store }> {
  const inner = memoryStore();
  const store = await encryptedStore(inner, OLD);
  await store.putBlob("f00d", "a blob");
  for (const run of RUNS) {
    await runWriter(store, run).commit([`entry 0 of ${run}`, `entry 1 of ${run}`], {
      head: { pauses: [{ id: "p", path: [], prompt: run }] },
    });
    await store.putNote(run, "draft.0", `draft of ${run}`);
  }
  return { inner, store };
}

async function expectAll(store: Store): Promise<void> {
  for (const run of RUNS) {
    expect(await store.read(run)).toEqual([`entry 0 of ${run}`, `entry 1 of ${run}`]);
    expect((await store.head(run))!.pauses).toEqual([{ id: "p", path: [], prompt: run }]);
    expect(await store.notes(run)).toEqual([{ key: "draft.0", text: `draft of ${run}` }]);
  }
  expect((await store.runs()).items).toHaveLength(RUNS.length);
  expect(await store.getBlob("f00d")).toBe("a blob");
}

describe("after a rotation", () => {
  test("the new key opens all of it, and the old one nothing", async () => {
    const { inner } = await filled();
    expect(await rotateKey(inner, ROTATION)).toEqual({ runs: 5, damaged: [] });
    await expect(encryptedStore(inner, OLD)).rejects.toMatchObject(WRONG);
    await expectAll(await encryptedStore(inner, NEW));
  });

  test("the key of no run is wrapped as before, and no journal, note or blob was written", async () => {
    const { inner } = await filled();
    const content = async (): Promise<readonly unknown[]> =>
      Promise.all([...RUNS.flatMap((run) => [inner.read(run), inner.notes(run)]), inner.getBlob("f00d")]);
    const wraps = async (): Promise<readonly string[]> =>
      (await inner.runs()).items.slice(0, 5).map(({ sealed }) => sealed!.split(".")[1]!);
    const [before, wrapped] = [await content(), await wraps()];
    await rotateKey(inner, ROTATION);
    expect(await content()).toEqual(before);
    expect((await wraps()).filter((wrap) => wrapped.includes(wrap))).toEqual([]);
  });

  test("runs go on, and new ones begin", async () => {
    const { inner } = await filled();
    await rotateKey(inner, ROTATION);
    const store = await encryptedStore(inner, NEW);
    await runWriter(store, "run_0", await store.head("run_0")).commit(["entry 2"]);
    await runWriter(store, "run_new").commit(["entry 0"]);
    expect([await store.read("run_0", { from: 1 }), await store.read("run_new")]).toEqual([["entry 1 of run_0", "entry 2"], ["entry 0"]]);
  });

  test("it can be rotated again, to a passphrase and on to a key", async () => {
    const { inner } = await filled();
    await rotateKey(inner, { from: OLD, to: { passphrase: "between" } });
    await expect(encryptedStore(inner, OLD)).rejects.toMatchObject(WRONG);
    expect(await rotateKey(inner, { from: { passphrase: "between" }, to: NEWEST })).toMatchObject({ runs: 5 });
    await expectAll(await encryptedStore(inner, NEWEST));
  });

  test("the key a store is opened with counts: where it was open, what was wrapped anew is refused, and nothing is begun", async () => {
    const { inner, store } = await filled();
    const writer = runWriter(store, "run_0", await store.head("run_0"));
    await rotateKey(inner, ROTATION);
    await expect(store.head("run_0")).rejects.toMatchObject(WRONG);
    await expect(store.read("run_0")).rejects.toMatchObject(WRONG);
    await expect(store.runs()).rejects.toMatchObject(WRONG);
    await expect(writer.commit(["late"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
    await expect(runWriter(store, "run_new").commit(["late"])).rejects.toMatchObject(WRONG);
    await expectAll(await encryptedStore(inner, NEW));
  });

  test("S9: the old record of the keys, put back, opens nothing that was wrapped anew", async () => {
    const { inner } = await filled();
    const record = (await inner.head("store.key"))!;
    await rotateKey(inner, ROTATION);
    const attacked = attackedStore(inner, { head: (head) => (head.id === "store.key" ? record : head) });
    await expect(encryptedStore(attacked, NEW)).rejects.toMatchObject(WRONG);
    await expect((await encryptedStore(attacked, OLD)).read("run_0")).rejects.toMatchObject({ code: "STORE_TAMPERED" });
  });
});

describe("a rotation that is interrupted", () => {
  test("at any write: one key opens everything, and the rotation goes on", async () => {
    const whole = faultyStore((await filled()).inner);
    await rotateKey(whole, ROTATION);
    expect(whole.writes).toBe(7);
    for (let write = 1; write <= whole.writes; write++) {
      for (const when of ["before", "after"] as const) {
        const { inner } = await filled();
        await expect(rotateKey(faultyStore(inner, failAt(write, { times: "forever", when })), ROTATION)).rejects.toMatchObject({
          code: "STORE_FAILED",
        });
        const begun = write > 1 || when === "after";
        await expect(encryptedStore(inner, begun ? OLD : NEW)).rejects.toMatchObject(WRONG);
        await expectAll(await encryptedStore(inner, begun ? NEW : OLD));
        const done = begun ? Math.max(0, write - (when === "after" ? 2 : 3)) : 0;
        expect(await rotateKey(inner, ROTATION)).toEqual({ runs: RUNS.length - done, damaged: [] });
        expect(await rotateKey(inner, ROTATION)).toEqual({ runs: 0, damaged: [] });
        await expect(encryptedStore(inner, OLD)).rejects.toMatchObject(WRONG);
        await expectAll(await encryptedStore(inner, NEW));
      }
    }
  });

  test("by writers of other runs: none is lost", async () => {
    const { inner } = await filled();
    let busy = 3;
    const store = await encryptedStore(inner, OLD);
    const writer = runWriter(store, "run_2", await store.head("run_2"));
    const crowded: Store = {
      ...inner,
      async commit(commit) {
        if (commit.run === "run_2" && busy-- > 0) await writer.commit([`entry in between ${busy}`]);
        return inner.commit(commit);
      },
    };
    expect(await rotateKey(crowded, ROTATION)).toEqual({ runs: 5, damaged: [] });
    const opened = await encryptedStore(inner, NEW);
    expect(await opened.read("run_2", { from: 2 })).toEqual(["entry in between 2", "entry in between 1", "entry in between 0"]);
  });
});

test("a rotation leaves runs that were tampered with, names them, and wraps the others", async () => {
  const { inner } = await filled();
  const attacked = attackedStore(inner, { head: (head) => (head.id === "run_3" ? { ...head, status: "failed" } : head) });
  expect(await rotateKey(attacked, ROTATION)).toMatchObject({ runs: 4, damaged: [{ run: "run_3", error: { code: "STORE_TAMPERED" } }] });
  expect(await rotateKey(inner, ROTATION)).toEqual({ runs: 1, damaged: [] });
  await expectAll(await encryptedStore(inner, NEW));
});

test("neither a wrong old key nor a new one that is none changes anything", async () => {
  const { inner } = await filled();
  await expect(rotateKey(inner, { from: NEW, to: NEWEST })).rejects.toMatchObject(WRONG);
  await expect(rotateKey(inner, { from: OLD, to: { passphrase: "" } })).rejects.toMatchObject(WRONG);
  await expect(rotateKey(inner, { from: OLD, to: { key: new Uint8Array(5) } })).rejects.toMatchObject(WRONG);
  await expectAll(await encryptedStore(inner, OLD));
});

test("a store that is not encrypted is not made so by a rotation", async () => {
  const plain = memoryStore();
  await expect(rotateKey(plain, ROTATION)).rejects.toMatchObject({ code: "STORE_TAMPERED" });
  expect((await plain.runs()).items).toEqual([]);
});
