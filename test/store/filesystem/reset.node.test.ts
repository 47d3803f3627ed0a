import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { runWriter } from "wavepoint/testing";

let home: string;
let directory: string;
let store: Store;
let writer: ReturnType<typeof runWriter>;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-"));
  directory = join(home, "store");
  store = filesystemStore(directory);
  writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true });
});

const lost = { code: "STORE_RESET", details: { directory: expect.any(String) } };

/** Every call of a store that reads or writes. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  "a commit of the run that is open": () => writer.commit(["{}"]),
  "a commit of a new run": () => runWriter(store, "run_new").commit(["{}"]),
  head: () => store.head("run_a"),
  read: () => store.read("run_a"),
  runs: () => store.runs(),
  checkpoints: () => store.checkpoints(),
  putBlob: () => store.putBlob("f00d", "text"),
  getBlob: () => store.getBlob("f00d"),
  sweepBlobs: () => store.sweepBlobs(new Set(), 0),
  putNote: () => store.putNote("run_a", "draft.0", "text"),
  notes: () => store.notes("run_a"),
  usage: () => store.usage(),
  delete: () => store.delete("run_a"),
  claim: () => store.claim("run_a"),
};

async function anotherStoreInItsPlace(): Promise<void> {
  rmSync(directory, { recursive: true });
  const other = filesystemStore(directory);
  await runWriter(other, "run_a").commit(["{}"]);
  await other.close();
}

describe.each<[string, () => void | Promise<void>]>([
  ["removed", () => rmSync(directory, { recursive: true })],
  ["moved away", () => renameSync(directory, join(home, "elsewhere"))],
  [
    "replaced by an empty one",
    () => {
      rmSync(directory, { recursive: true });
      mkdirSync(directory);
    },
  ],
  ["replaced by another store", anotherStoreInItsPlace],
  ["emptied of its runs", () => rmSync(join(directory, "runs"), { recursive: true })],
])("D16: a directory that was %s while its store was open", (_, change) => {
  test.each(Object.keys(CALLS))("is STORE_RESET, not an empty store: %s", async (name) => {
    await change();
    await expect(CALLS[name]!()).rejects.toMatchObject(lost);
    await expect(CALLS[name]!()).rejects.toMatchObject(lost);
  });
});

test("D16: a store that has only read notices it too, and a store that is opened anew begins anew", async () => {
  const reader = filesystemStore(directory);
  expect((await reader.runs()).items).toHaveLength(1);
  rmSync(directory, { recursive: true });
  await expect(reader.runs()).rejects.toMatchObject(lost);
  await reader.close();
  const again = filesystemStore(directory);
  expect((await again.runs()).items).toEqual([]);
  await runWriter(again, "run_b").commit(["{}"]);
  expect((await again.runs()).items).toHaveLength(1);
  await again.close();
});

test("D16: a directory that comes back is the same store, and one that was not there yet is no loss", async () => {
  const elsewhere = join(home, "elsewhere");
  renameSync(directory, elsewhere);
  await expect(store.runs()).rejects.toMatchObject(lost);
  cpSync(elsewhere, directory, { recursive: true });
  expect((await store.runs()).items).toEqual([writer.head]);
  await runWriter(store, "run_b").commit(["{}"]);
  expect((await store.runs()).items).toHaveLength(2);

  const early = filesystemStore(join(home, "later"));
  expect((await early.runs()).items).toEqual([]);
  await runWriter(filesystemStore(join(home, "later")), "run_c").commit(["{}"]);
  expect((await early.runs()).items).toHaveLength(1);
  await early.close();
});
