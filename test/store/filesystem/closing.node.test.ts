import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runWriter } from "wavepoint/testing";
import type { Disk } from "../../../src/core/ports/disk.ts";
import type { Store } from "../../../src/core/ports/store.ts";
import { realDisk } from "../../../src/store/filesystem/real-disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function openOn(disk: Partial<Disk> = {}): Store {
  return openFilesystemStore(directory, { ...realDisk, ...disk }, () => {});
}

/** Calls of a disk that take until they are let go on. */
function heldCalls(): { readonly wait: () => Promise<void>; readonly begun: Promise<void>; readonly goOn: () => void } {
  let goOn!: () => void;
  let begin!: () => void;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const wait = (): Promise<void> => {
    begin();
    return gate;
  };
  return { wait, begun, goOn };
}

function fileCalls(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith("FSReq")).length;
}

test("D20: once a directory is synced it is closed", async () => {
  const file = realDisk.open(join(directory, "file"), "create");
  await realDisk.sync(file);
  // A call counts until what waited for it has had its turn.
  const own = fileCalls();
  realDisk.close(file);
  await new Promise(setImmediate);
  await realDisk.syncDirectory(directory);
  expect(fileCalls()).toBe(own);
});

describe("D20: once a store is closed", () => {
  test("no file operation is under way", async () => {
    const first = openOn();
    await runWriter(first, "run_a").commit(['{"n":0}']);
    await first.close();
    const store = openOn();
    await new Promise(setImmediate);
    const before = fileCalls();
    // The directories of a store are there: nothing from here on gives others a turn in which a call could end unseen.
    await store.claim("run_a");
    await store.close();
    expect(fileCalls()).toBe(before);
  });

  test("what was begun before has come to its end", async () => {
    const { wait, begun, goOn } = heldCalls();
    const ended: string[] = [];
    const store = openOn({ sync: (file) => wait().then(() => realDisk.sync(file)) });
    const put = store.putBlob("blob", "text").then(() => ended.push("put"));
    const claimed = store.claim("run_a").then(() => ended.push("claimed"));
    await begun;
    const closed = store.close().then(() => ended.push("closed"));
    const again = store.close().then(() => ended.push("closed again"));
    goOn();
    await Promise.all([put, claimed, closed, again]);
    expect(ended.slice(0, 2).toSorted()).toEqual(["claimed", "put"]);
    expect(ended.slice(2).toSorted()).toEqual(["closed", "closed again"]);
    expect(["claims", "temp"].flatMap((folder) => readdirSync(join(directory, folder)))).toEqual([]);
  });

  test("nothing is written by a commit that waited for its directories", async () => {
    const { wait, begun, goOn } = heldCalls();
    const opened = new Set<number>();
    const store = openOn({
      open(path, how) {
        const file = realDisk.open(path, how);
        opened.add(file);
        return file;
      },
      close(file) {
        realDisk.close(file);
        opened.delete(file);
      },
      sync: (file) => wait().then(() => realDisk.sync(file)),
    });
    const writing = runWriter(store, "run_a").commit(['{"n":0}']);
    await begun;
    const closed = store.close();
    goOn();
    await expect(writing).rejects.toMatchObject({ code: "STORE_CLOSED" });
    await closed;
    expect([...opened]).toEqual([]);
    const again = openOn();
    expect(await again.head("run_a")).toBeUndefined();
    await again.close();
  });
});

test("D14: where a directory cannot be synced, the file stays open until its own sync has ended", async () => {
  const { wait, begun, goOn } = heldCalls();
  let isHeld = false;
  const syncing = new Set<number>();
  const closedTooEarly: number[] = [];
  const store = openOn({
    async sync(file) {
      syncing.add(file);
      if (isHeld) await wait();
      await realDisk.sync(file);
      syncing.delete(file);
    },
    close(file) {
      if (syncing.has(file)) closedTooEarly.push(file);
      realDisk.close(file);
    },
    async syncDirectory(path) {
      if (isHeld) throw Object.assign(new Error("EIO"), { code: "EIO" });
      await realDisk.syncDirectory(path);
    },
  });
  await store.putBlob("blob", "text");
  isHeld = true;
  const writing = Promise.allSettled([runWriter(store, "run_a").commit(['{"n":0}'])]);
  await Promise.all([begun, new Promise(setImmediate)]);
  goOn();
  expect(await writing).toMatchObject([{ status: "rejected", reason: { code: "STORE_FAILED" } }]);
  await store.close();
  expect(closedTooEarly).toEqual([]);
});
