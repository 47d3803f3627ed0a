import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CheckpointRow, Store } from "wavepoint";
import { runWriter } from "wavepoint/testing";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { realDisk } from "../../../src/store/filesystem/real-disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";

const ENTRIES = 400;
const LONG = JSON.stringify({ text: "x".repeat(2_000) });

let directory: string;
let bytesRead = 0;
const countingDisk: Disk = {
  ...realDisk,
  read(file, bytes, offset, position) {
    const count = realDisk.read(file, bytes, offset, position);
    bytesRead += count;
    return count;
  },
};
const open = (): Store => openFilesystemStore(directory, countingDisk, () => {});
const rowOf = (number: number, entries: number): CheckpointRow => ({
  run: "run_long",
  workflow: "words",
  kind: "wave",
  number,
  createdAt: 1_000 + number,
  entries,
});

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  const store = open();
  const writer = runWriter(store, "run_long");
  for (let i = 0; i < ENTRIES; i++) await writer.commit([LONG], { checkpoints: [rowOf(i, i + 1)] });
  await store.close();
  bytesRead = 0;
});
afterEach(() => rmSync(directory, { recursive: true }));

async function numbers(store: Store): Promise<readonly number[]> {
  const { items } = await store.checkpoints({ run: "run_long", limit: 1_000 });
  return items.map(({ number }) => number);
}

test("a process that continues a long run reads its end, not all of its journal", async () => {
  const store = open();
  expect((await store.head("run_long"))!.entries).toBe(ENTRIES);
  expect(await store.read("run_long", { from: ENTRIES - 1 })).toEqual([LONG]);
  expect(bytesRead).toBeGreaterThan(0);
  expect(bytesRead).toBeLessThan((ENTRIES * LONG.length) / 4);
  expect(await store.read("run_long", { from: 3, to: 5 })).toEqual([LONG, LONG]);
  await store.close();
});

test("its checkpoints are all there however often it was opened, and gone where they were taken away", async () => {
  const expected = Array.from({ length: ENTRIES }, (_, i) => ENTRIES - 1 - i);
  for (let round = 0; round < 40; round++) {
    const store = open();
    const writer = runWriter(store, "run_long", await store.head("run_long"));
    const added = ENTRIES + round;
    // One that is there, and one that came with another opening.
    const taken = round % 2 === 0 ? round : added - 1;
    await writer.commit([LONG], { checkpoints: [rowOf(added, added + 1)], forgotten: [{ kind: "wave", number: taken }] });
    expected.splice(expected.indexOf(taken), 1);
    expected.unshift(added);
    if (round % 7 === 0) expect(await numbers(store)).toEqual(expected);
    await store.close();
  }
  const store = open();
  expect(await numbers(store)).toEqual(expected);
  const { items } = await store.checkpoints({ run: "run_long", limit: 1 });
  expect(items).toEqual([rowOf(ENTRIES + 39, ENTRIES + 40)]);
  await store.close();
});

test("a process that continues a long run after another died reads no more of it than its end", async () => {
  const killed = open();
  const writer = runWriter(killed, "run_killed");
  const batch = Array.from({ length: 20 }, () => LONG);
  for (let i = 0; i < 300; i++) {
    const row = { ...rowOf(i, (i + 1) * batch.length), run: "run_killed" };
    // A row that goes stands among those that were written down before.
    const forgotten = i === 250 ? [{ kind: "wave" as const, number: 20 }] : [];
    await writer.commit(batch, { checkpoints: [row], forgotten });
  }
  // Nothing is closed: a process that is killed closes nothing.
  const store = open();
  bytesRead = 0;
  const length = 300 * batch.length * LONG.length;
  expect((await store.head("run_killed"))!.entries).toBe(300 * batch.length);
  expect(bytesRead).toBeGreaterThan(0);
  expect(bytesRead).toBeLessThan(length / 4);
  const { items } = await store.checkpoints({ run: "run_killed", limit: 1_000 });
  expect(items.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i).filter((number) => number !== 20));
  await killed.close();
  await store.close();
});
