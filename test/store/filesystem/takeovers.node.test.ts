import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "wavepoint";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { checkpointRow } from "../../../src/testing/conformance/writer.ts";
import { filesystemStore } from "wavepoint/store/filesystem";
import { crashDisk, runWriter } from "wavepoint/testing";
import type { CrashDisk } from "wavepoint/testing";
import { runPath } from "./run-path.ts";

const RUN = "run_a";

/** Lets so many processes commit to a run, one after another, each of which dies without closing its store. */
async function takeOften(disk: Disk, times: number): Promise<readonly string[]> {
  const entries: string[] = [];
  for (let taken = 0; taken < times; taken += 1) {
    const store = openFilesystemStore("/data", disk, () => {});
    const entry = JSON.stringify({ taken, text: "x".repeat(100) });
    const row = checkpointRow(RUN, taken);
    await runWriter(store, RUN, await store.head(RUN)).commit([entry], { checkpoints: [row] });
    entries.push(entry);
  }
  return entries;
}

function countSegments(disk: Disk): number {
  return disk.list(runPath("/data", RUN)).filter((name) => name.endsWith(".jsonl")).length;
}

/** Everything a store shows of the run, and how many operations of the disk that takes in a new store that also goes on with it. */
async function goOn(disk: CrashDisk, entry: string): Promise<{ readonly operations: number; readonly seen: readonly string[] }> {
  let operations = 0;
  const counting = Object.fromEntries(
    Object.entries(disk).map(([name, value]: [string, unknown]) => [
      name,
      typeof value !== "function"
        ? value
        : (...given: readonly unknown[]) => {
            operations += 1;
            return (value as (...all: readonly unknown[]) => unknown)(...given);
          },
    ]),
  ) as unknown as Disk;
  const store = openFilesystemStore("/data", counting, () => {});
  const head = await store.head(RUN);
  const seen = await store.read(RUN);
  await runWriter(store, RUN, head).commit([entry]);
  return { operations, seen };
}

test("going on with a run that 400 processes took costs at most 1.5 times as many operations as with one that one took, and all is there", async () => {
  const [once, often] = [crashDisk(), crashDisk()];
  await takeOften(once, 1);
  const entries = await takeOften(often, 400);
  const { operations: single } = await goOn(once, '{"opened":0}');
  // Merging is the work of one opening in several: so all of them are counted.
  const counts: number[] = [];
  for (let opened = 0; opened < 12; opened += 1) {
    const { operations, seen } = await goOn(often, `{"opened":${opened}}`);
    expect(seen).toEqual([...entries, ...counts.map((_, index) => `{"opened":${index}}`)]);
    counts.push(operations);
  }
  expect(counts.reduce((sum, count) => sum + count) / counts.length).toBeLessThanOrEqual(single * 1.5);
  expect(Math.max(...counts)).toBeLessThanOrEqual(single * 3);
  expect(countSegments(often)).toBeLessThanOrEqual(4);
  const { items } = await openFilesystemStore("/data", often, () => {}).checkpoints({ run: RUN, limit: 1000 });
  expect(items).toHaveLength(400);
});

test("where a disk has room for a commit and not for merging, the commit is written all the same, and nothing is left of the attempt", async () => {
  const disk = crashDisk();
  const entries = await takeOften(disk, 4);
  const nearlyFull: Disk = {
    ...disk,
    write(file, bytes, offset, position) {
      const written = disk.write(file, bytes.subarray(0, offset + 200), offset, position);
      if (position + written > 400) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
      return written;
    },
  };
  const store = openFilesystemStore("/data", nearlyFull, () => {});
  await runWriter(store, RUN, await store.head(RUN)).commit(['{"small":1}']);
  expect(countSegments(disk)).toBe(5);
  const next = openFilesystemStore("/data", disk.powerCut(), () => {});
  expect(await next.read(RUN)).toEqual([...entries, '{"small":1}']);
});

test("a store that held the run before its files were merged is refused, and reads on", async () => {
  const disk = crashDisk();
  const first = openFilesystemStore("/data", disk, () => {});
  const writer = runWriter(first, RUN);
  await writer.commit(['{"first":1}']);
  const entries = await takeOften(disk, 20);
  await expect(writer.commit(['{"late":1}'])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(await first.read(RUN)).toEqual(['{"first":1}', ...entries]);
  await runWriter(first, RUN, await first.head(RUN)).commit(['{"again":1}']);
  expect(await openFilesystemStore("/data", disk, () => {}).read(RUN, { from: 20 })).toEqual([entries[19], '{"again":1}']);
});

describe("where merging fails at any operation, or the process is killed there", () => {
  /** The last but one merges. */
  const TAKEN = 6;

  async function afterFault(faulty: (disk: CrashDisk) => Disk): Promise<void> {
    const disk = crashDisk();
    const entries: string[] = [];
    let acknowledged = 0;
    let current = faulty(disk);
    for (let taken = 0; taken < TAKEN; taken += 1) {
      const entry = `{"taken":${taken}}`;
      const store: Store = openFilesystemStore("/data", current, () => {});
      try {
        await runWriter(store, RUN, await store.head(RUN)).commit([entry]);
        entries.push(entry);
        acknowledged = entries.length;
      } catch {
        current = disk;
        const kept = await openFilesystemStore("/data", disk, () => {}).read(RUN);
        // A commit that was refused may have happened all the same.
        expect([entries, [...entries, entry]]).toContainEqual(kept);
        entries.splice(0, entries.length, ...kept);
      }
      expect(await openFilesystemStore("/data", disk, () => {}).read(RUN)).toEqual(entries);
      const left = await openFilesystemStore("/data", disk.powerCut(), () => {}).read(RUN);
      expect(left.slice(0, acknowledged)).toEqual(entries.slice(0, acknowledged));
    }
    await takeOften(disk, 5);
    expect(countSegments(disk)).toBeLessThanOrEqual(4);
  }

  test("what was acknowledged stays", async () => {
    const disk = crashDisk();
    await takeOften(disk, TAKEN);
    expect(disk.operations).toBeGreaterThan(40);
    for (let at = 0; at < disk.operations; at += 1) {
      await afterFault((whole) => failingOnce(whole, at));
      await afterFault((whole) => whole.killedAt(at));
    }
  }, 60_000);
});

const CHANGING = ["write", "sync", "link", "rename", "remove", "syncDirectory"] as const;

/** A disk on which one change fails for want of room. */
function failingOnce(disk: CrashDisk, at: number): Disk {
  let seen = -1;
  const changes = Object.fromEntries(
    CHANGING.map((name) => [
      name,
      (...given: readonly unknown[]) => {
        seen += 1;
        if (seen !== at) return (disk[name] as (...all: readonly unknown[]) => unknown)(...given);
        const full = Object.assign(new Error("no room"), { code: "ENOSPC" });
        if (name.startsWith("sync")) return Promise.reject(full);
        throw full;
      },
    ]),
  );
  return { ...disk, ...changes };
}

test.each([2, 4])("%i stores whose callers try again at once do not keep each other from writing", async (count) => {
  const directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const stores = Array.from({ length: count }, () => filesystemStore(directory));
  await runWriter(stores[0]!, RUN).commit(['{"created":true}']);
  let refused = 0;
  await Promise.all(
    stores.map(async (store, index) => {
      for (let written = 0; written < 5;) {
        try {
          await runWriter(store, RUN, await store.head(RUN)).commit([JSON.stringify({ index, written })]);
          written += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: "STORE_CONFLICT" });
          refused += 1;
        }
      }
    }),
  );
  expect(await stores[0]!.read(RUN)).toHaveLength(1 + 5 * count);
  // Each writer may be refused once for each commit of another.
  expect(refused).toBeLessThanOrEqual(5 * count * (count - 1));
  for (const store of stores) await store.close();
});
