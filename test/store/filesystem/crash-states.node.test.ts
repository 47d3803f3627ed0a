import { expect, test } from "vitest";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { tryCrashes } from "wavepoint/testing";
import type { CrashCounts, CrashTrial } from "wavepoint/testing";

const isLong = process.env.WAVEPOINT_LONG !== undefined;

/** The bound of the short tier: one change of names at a time beside all or none of the older ones, writes torn at a few places. */
const FEW = { names: 1, files: 0, sectorBytes: 1024, sectors: 1 };
const MANY = { names: 4, files: 2, sectorBytes: 512, sectors: 3 };

function open(disk: Disk): ReturnType<typeof openFilesystemStore> {
  return openFilesystemStore("/data/store", disk, () => {});
}

function tryStore(trial: Partial<CrashTrial>): Promise<CrashCounts> {
  return tryCrashes({ open, bounds: FEW, ...trial });
}

test("D2: every state in which a power cut may leave the disk shows what was acknowledged, nothing else, and takes the next commit", async () => {
  const counts = await tryStore(isLong ? { bounds: MANY } : { killEvery: 150, bounds: { ...FEW, names: 0 } });
  expect(counts.moments).toBeGreaterThan(80);
  expect(counts.opened).toBeGreaterThan(isLong ? 20_000 : 1_000);
  if (!isLong) expect(counts.kills).toBeGreaterThanOrEqual(1);
}, 3_600_000);

// Each of these goes through all power cuts once more; the short tier has a kill and torn sectors in the trial above.
test.runIf(isLong)(
  "D2: so does every state after a process was killed and another one went on",
  async () => {
    const counts = await tryStore({ killEvery: 1, bounds: { ...FEW, names: 2 } });
    expect(counts.kills).toBeGreaterThanOrEqual(150);
  },
  3_600_000,
);

test.runIf(isLong)(
  "D2: sectors smaller than any disk has tear a write inside its lines",
  async () => {
    const counts = await tryStore({ bounds: { names: 0, files: 0, sectorBytes: 16, sectors: 2 } });
    expect(counts.opened).toBeGreaterThan(10_000);
  },
  3_600_000,
);

test.each<[string, (disk: Disk) => Partial<Disk>]>([
  ["names are never synced", () => ({ syncDirectory: async () => {} })],
  ["the names of runs are not synced", (disk) => withoutSync(disk, (path) => /\/runs\/[0-9a-f]{2}$/.test(path))],
  ["the names of the directories that hold them are not synced", (disk) => withoutSync(disk, (path) => path.endsWith("/runs"))],
  ["the names of segments are not synced", (disk) => withoutSync(disk, (path) => path.includes("="))],
  ["the names of blobs are not synced", (disk) => withoutSync(disk, (path) => path.endsWith("/blobs"))],
  ["the directory of the store is not synced", (disk) => withoutSync(disk, (path) => path === "/data")],
  ["bytes are not synced", () => ({ sync: async () => {} })],
  ["a sync resolves before it is done", (disk) => ({ sync: async (file) => void disk.sync(file) })],
])("a fault is found: %s", async (_, fault) => {
  const trying = tryStore({ open: (disk) => open({ ...disk, ...fault(disk) }) });
  await expect(trying).rejects.toThrow("After a power cut");
});

function withoutSync(disk: Disk, left: (path: string) => boolean): Partial<Disk> {
  return { syncDirectory: async (path) => (left(path) ? undefined : disk.syncDirectory(path)) };
}
