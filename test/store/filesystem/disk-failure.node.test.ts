import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isWorkflowError } from "../../../src/core/model/errors.ts";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { realDisk } from "../../../src/store/filesystem/real-disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import type { Commit, Store } from "../../../src/core/ports/store.ts";
import { crashDisk, runWriter } from "wavepoint/testing";

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

test("D14: a disk that takes a few bytes at a time gets all of them", async () => {
  const store = openOn({ write: (file, bytes, offset, position) => realDisk.write(file, bytes.subarray(0, offset + 3), offset, position) });
  await runWriter(store, "run_a").commit(['{"n":0}', '{"n":1}']);
  await store.close();
  const again = openOn({});
  expect(await again.read("run_a")).toEqual(['{"n":0}', '{"n":1}']);
  await again.close();
});

for (const first of [true, false]) {
  test(`D15: a full disk rejects ${first ? "the first" : "a later"} commit, harms nothing, and the run goes on once there is room`, async () => {
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

test("D14: after a failed sync nothing of that write counts, even if the file shows it, and all that waited is refused", async () => {
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

/** Every call of a store to a disk, in a fixed order. */
async function play(store: Store): Promise<void> {
  const writer = runWriter(store, "run_a", await store.head("run_a"));
  const done = writer.head?.entries ?? 0;
  if (done < 1) await writer.commit(['{"n":0}']);
  if (done < 2) await writer.commit(['{"n":1}'], { head: { status: "paused" } });
  await store.putBlob("f00d", "blob");
  await store.putNote("run_a", "draft.0", "typed");
  if (done < 3) await writer.commit(['{"n":2}'], { dropNotes: ["draft.0"] });
  if (writer.head?.base === undefined) await writer.commit([], { base: { at: 2, text: '{"base":2}' } });
  if (done < 4) await writer.commit(['{"n":3}']);
  await runWriter(store, "run_b", await store.head("run_b")).commit(["{}"]);
  await store.delete("run_b");
  const release = await store.claim("run_a");
  await release?.();
}

const CHANGING = ["open", "write", "sync", "makeDirectory", "rename", "link", "syncDirectory"] as const;

/** Those that a disk refuses as long as it is full. */
const NEEDS_ROOM: ReadonlySet<string> = new Set(["open", "write", "makeDirectory", "link"]);

/**
 * A disk on which one of the operations that change something fails, with this code, counted from 0; with `stays` also all that follow and
 * need room.
 */
function failingAt(disk: Disk, last: { at: number; code: string; seen: number; readonly stays?: boolean }): Disk {
  const change = Object.fromEntries(
    CHANGING.map((name) => [
      name,
      (...given: readonly unknown[]) => {
        last.seen += name === "open" && given[1] === "read" ? 0 : 1;
        const follows = last.stays && last.seen - 1 > last.at && NEEDS_ROOM.has(name) && given[1] !== "read";
        if (last.seen - 1 !== last.at && !follows) return (disk[name] as (...all: readonly unknown[]) => unknown)(...given);
        if (!last.stays) last.at = -1;
        if (name.startsWith("sync")) return Promise.reject(failure(last.code));
        throw failure(last.code);
      },
    ]),
  );
  return { ...disk, ...change };
}

describe.each([
  ["D14", "EIO", "STORE_FAILED"],
  ["D15", "ENOSPC", "STORE_QUOTA"],
])("%s: whichever operation of the disk fails with %s", (_, code, expected) => {
  test("the error is typed, what was acknowledged stays, and the same store goes on", async () => {
    const kinds = new Set<string>();
    let operations = Infinity;
    for (let at = 0; at < operations; at += 1) {
      const disk = crashDisk();
      const fault = { at, code, seen: 0 };
      const store = openFilesystemStore("/data", failingAt(disk, fault), () => {});
      const acknowledged: Commit[] = [];
      const told: Store = { ...store, commit: (commit) => store.commit(commit).then(() => void acknowledged.push(commit)) };
      const outcome = await play(told).then(
        () => "none",
        (error: unknown) => (isWorkflowError(error) ? error.code : String(error)),
      );
      kinds.add(outcome);
      if (fault.at === at) operations = fault.seen;
      fault.at = -1;
      const before = openFilesystemStore("/data", disk.powerCut(), () => {});
      const last = acknowledged.findLast(({ run }) => run === "run_a")?.head;
      expect((await before.head("run_a"))?.revision ?? 0).toBeGreaterThanOrEqual(last?.revision ?? 0);

      await play(store);
      expect(await store.read("run_a")).toEqual(['{"base":2}', '{"n":2}', '{"n":3}']);
      const again = openFilesystemStore("/data", disk.powerCut(), () => {});
      expect(await again.read("run_a")).toEqual(['{"base":2}', '{"n":2}', '{"n":3}']);
      expect([await again.notes("run_a"), await again.getBlob("f00d"), await again.head("run_b")]).toEqual([[], "blob", undefined]);
    }
    expect(operations).toBeGreaterThan(40);
    // A cache that cannot be written is not an error.
    expect([...kinds].toSorted()).toEqual(["none", expected].toSorted());
  });
});

describe.each([false, true])("D20: a disk that is full from one operation on (it stays so: %s)", (stays) => {
  test(`${stays ? "stays full" : "has room again"}: no attempt leaves a temporary file or a claim behind`, async () => {
    let operations = Infinity;
    for (let at = 0; at < operations; at += 1) {
      const disk = crashDisk();
      const fault = { at, code: "ENOSPC", seen: 0, stays };
      const store = openFilesystemStore("/data", failingAt(disk, fault), () => {});
      for (let attempt = 0; attempt < 3; attempt += 1) await play(store).catch(() => {});
      if (fault.seen <= at) operations = at;
      const list = (name: string): readonly string[] => (disk.facts(`/data/${name}`) ? disk.list(`/data/${name}`) : []);
      expect([at, list("claims")]).toEqual([at, []]);
      // The file that names this process in its claims stays as long as the store is open.
      await store.close();
      expect([at, list("temp")]).toEqual([at, []]);
    }
    expect(operations).toBeGreaterThan(40);
  });
});

test("D20: attempts on a full disk leave one empty file in a run, not one each", async () => {
  const disk = crashDisk();
  let full = false;
  const store = openFilesystemStore(
    "/data",
    {
      ...disk,
      write(file, bytes, offset, position) {
        if (full) throw failure("ENOSPC");
        return disk.write(file, bytes, offset, position);
      },
    },
    () => {},
  );
  const writer = runWriter(store, "run_a");
  await writer.commit(['{"n":0}']);
  full = true;
  const files = async (): Promise<number> => {
    await expect(writer.commit(['{"n":1}'])).rejects.toMatchObject({ code: "STORE_QUOTA" });
    return countFiles(disk, "/data");
  };
  // The first fails in the segment that was open, the next one in the one behind it.
  const before = await files();
  const once = await files();
  expect(once).toBeLessThanOrEqual(before + 1);
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await files()).toBe(once);
  full = false;
  await writer.commit(['{"n":1}']);
  expect(await store.read("run_a")).toEqual(['{"n":0}', '{"n":1}']);
  await store.close();
});

function countFiles(disk: Disk, path: string): number {
  if (!disk.facts(path)!.isDirectory) return 1;
  return disk.list(path).reduce((count, name) => count + countFiles(disk, `${path}/${name}`), 0);
}
