import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { realDisk } from "../../../src/store/filesystem/real-disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { runWriter } from "wavepoint/testing";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function openOn(disk: Partial<Disk>): ReturnType<typeof openFilesystemStore> {
  return openFilesystemStore(directory, { ...realDisk, ...disk }, () => {});
}

test("a disk that takes a few bytes at a time gets all of them", async () => {
  const store = openOn({ write: (file, bytes, offset, position) => realDisk.write(file, bytes.subarray(0, offset + 3), offset, position) });
  await runWriter(store, "run_a").commit(['{"n":0}', '{"n":1}']);
  await store.close();
  const again = openOn({});
  expect(await again.read("run_a")).toEqual(['{"n":0}', '{"n":1}']);
  await again.close();
});

for (const first of [true, false]) {
  test(`a full disk rejects ${first ? "the first" : "a later"} commit, harms nothing, and the run goes on once there is room`, async () => {
    let full = first;
    const store = openOn({
      write(file, bytes, offset, position) {
        if (!full) return realDisk.write(file, bytes, offset, position);
        if (offset > 0) throw failure("ENOSPC");
        return realDisk.write(file, bytes.subarray(0, 9), offset, position);
      },
    });
    const writer = runWriter(store, "run_a");
    if (!first) await writer.commit(['{"n":0}']);
    full = true;
    await expect(writer.commit(['{"lost":1}'])).rejects.toMatchObject({ code: "STORE_QUOTA" });
    expect(await store.read("run_a")).toEqual(first ? [] : ['{"n":0}']);
    full = false;
    await writer.commit(['{"n":1}']);
    expect(await store.read("run_a")).toEqual(first ? ['{"n":1}'] : ['{"n":0}', '{"n":1}']);
    await store.close();
    const again = openOn({});
    expect(await again.head("run_a")).toEqual(writer.head);
    await again.close();
  });
}

test("after a failed sync nothing of that write counts, whatever the file shows, and all that waited is refused", async () => {
  let failing = false;
  const store = openOn({ sync: (file) => (failing ? Promise.reject(failure("EIO")) : realDisk.sync(file)) });
  const writer = runWriter(store, "run_a");
  await writer.commit(['{"n":0}']);
  failing = true;
  await expect(writer.commit(['{"lost":1}'])).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect(await store.read("run_a")).toEqual(['{"n":0}']);
  failing = false;
  await writer.commit(['{"n":1}']);
  await store.close();
  const again = openOn({});
  expect(await again.read("run_a")).toEqual(['{"n":0}', '{"n":1}']);
  await again.close();
});
