import { expect, test } from "vitest";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { crashDisk, runWriter } from "wavepoint/testing";
import { runPath } from "./run-path.ts";

const ROOT = "/home/data";
const open = (disk: Disk) => openFilesystemStore(ROOT, disk, () => {});

/** A disk, and the directories that were synced by it. */
function watched(disk: Disk): { readonly disk: Disk; readonly synced: string[] } {
  const synced: string[] = [];
  const syncDirectory = (path: string): Promise<void> => {
    synced.push(path);
    return disk.syncDirectory(path);
  };
  return { disk: { ...disk, syncDirectory }, synced };
}

test("who takes over a run syncs each directory once, and none above the runs of a store that was used before", async () => {
  const disk = crashDisk();
  await runWriter(open(disk), "run_a").commit(["{}"]);
  const next = watched(disk);
  const store = open(next.disk);
  await runWriter(store, "run_a", await store.head("run_a")).commit(["{}"]);
  const run = runPath(ROOT, "run_a");
  const shard = run.slice(0, run.lastIndexOf("/"));
  expect(next.synced.toSorted()).toEqual([shard.slice(0, shard.lastIndexOf("/")), shard, run]);
});

test("who takes over a run that was written to twice syncs its own directory alone", async () => {
  const disk = crashDisk();
  const first = runWriter(open(disk), "run_a");
  await first.commit(["{}"]);
  await first.commit(["{}"]);
  const next = watched(disk);
  const store = open(next.disk);
  await runWriter(store, "run_a", await store.head("run_a")).commit(["{}"]);
  expect(next.synced).toEqual([runPath(ROOT, "run_a")]);
});

test("what is taken over lasts wherever the process died that wrote it", async () => {
  const entries = ["1", "2", "3"].map((turn) => `{"turn":${turn}}`);
  const writeAll = async (disk: Disk): Promise<void> => {
    const store = open(disk);
    await store.putBlob("f00d", "{}");
    const writer = runWriter(store, "run_a");
    for (const entry of entries) await writer.commit([entry]);
  };
  const whole = crashDisk();
  await writeAll(whole);
  let taken = 0;
  for (let operation = 1; operation <= whole.operations; operation += 1) {
    const disk = crashDisk();
    await writeAll(disk.killedAt(operation)).catch(() => {});
    const store = open(disk);
    const head = await store.head("run_a");
    const found = head ? await store.read("run_a") : [];
    await runWriter(store, "run_a", head).commit(['{"taken":true}']);
    expect(await open(disk.powerCut()).read("run_a"), `operation ${operation}`).toEqual([...found, '{"taken":true}']);
    if (found.length > 1) taken += 1;
  }
  expect(taken).toBeGreaterThan(0);
});

test("what is acknowledged lasts wherever the process died that made the store", async () => {
  const whole = crashDisk();
  await runWriter(open(whole), "run_a").commit(["{}"]);
  for (let operation = 1; operation <= whole.operations; operation += 1) {
    const disk = crashDisk();
    const died = runWriter(open(disk.killedAt(operation)), "run_a").commit(["{}"]);
    await expect(died, `operation ${operation}`).rejects.toMatchObject({ code: "STORE_FAILED" });
    await runWriter(open(disk), "run_b").commit(['{"kept":true}']);
    expect(await open(disk.powerCut()).read("run_b"), `operation ${operation}`).toEqual(['{"kept":true}']);
  }
});

test("a directory that was taken from a store which was used before lasts again", async () => {
  const disk = crashDisk();
  await open(disk).putBlob("f00d", "{}");
  disk.remove(`${ROOT}/blobs`);
  await disk.syncDirectory(ROOT);
  await open(disk).putBlob("beef", "{}");
  expect(await open(disk.powerCut()).getBlob("beef")).toBe("{}");
});
