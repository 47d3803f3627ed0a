import { expect, test, vi } from "vitest";
import { isWorkflowError } from "../../../src/core/model/errors.ts";
import { runWriter } from "wavepoint/testing";
import { diskWith, goldenExpected, goldenFiles, openOn } from "./golden.ts";
import type { GoldenVersion } from "./golden.ts";

const isLong = process.env.WAVEPOINT_LONG !== undefined;
if (isLong) vi.setConfig({ testTimeout: 600_000 });

const RUNS = Object.keys(goldenExpected.runs);
const JOURNALS = [...goldenFiles.keys()].filter((path) => path.endsWith(".jsonl"));
const withoutCaches = new Map([...goldenFiles].filter(([path]) => !path.endsWith("cache.json")));

/** The run whose file this is. */
function runOf(path: string): string {
  return RUNS.find((run) => path.startsWith(`runs/${run.toLowerCase()}=`))!;
}

function versionsOf(run: string): readonly GoldenVersion[] {
  return goldenExpected.runs[run]!;
}

/** Which version of a run the store shows: its number, -1 for a run that is not there, or the code of what it rejects with. */
async function shown(files: ReadonlyMap<string, Uint8Array>, run: string): Promise<number | string> {
  const { store } = openOn(diskWith(files));
  try {
    const seen = { head: await store.head(run), entries: await store.read(run), checkpoints: (await store.checkpoints({ run })).items };
    if (seen.head === undefined) expect(seen).toEqual({ head: undefined, entries: [], checkpoints: [] });
    else expect(versionsOf(run)).toContainEqual(seen);
    return versionsOf(run).findIndex(({ head }) => head.revision === seen.head?.revision);
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    expect((await store.runs()).items).toHaveLength(RUNS.length - 1);
    for (const other of RUNS) if (other !== run) expect(await store.read(other)).toEqual(versionsOf(other).at(-1)!.entries);
    return error.code;
  }
}

function damaged(files: ReadonlyMap<string, Uint8Array>, path: string, bytes: Uint8Array): Promise<number | string> {
  return shown(new Map([...files, [path, bytes]]), runOf(path));
}

/** Lengths a file may be cut to, the whole one last. */
function cuts({ length }: Uint8Array): readonly number[] {
  return Array.from({ length: length + 1 }, (_, cut) => cut).filter((cut) => isLong || cut % 3 === 0 || cut > length - 3);
}

function* flips(bytes: Uint8Array): Generator<{ readonly at: number; readonly flipped: Uint8Array }> {
  for (let bit = 0; bit < bytes.length * 8; bit += isLong ? 1 : 17) {
    const flipped = bytes.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    yield { at: bit >> 3, flipped };
  }
}

test("D11: a store of the first form is read as it was written, and goes on", async () => {
  const { store, warnings } = openOn(diskWith(goldenFiles));
  expect((await store.runs()).items.map(({ id }) => id).toSorted()).toEqual(RUNS.toSorted());
  for (const run of RUNS) {
    const { head, entries, checkpoints } = versionsOf(run).at(-1)!;
    expect([await store.head(run), await store.read(run), (await store.checkpoints({ run })).items]).toEqual([head, entries, checkpoints]);
    expect(await store.notes(run)).toEqual(goldenExpected.notes[run] ?? []);
    await runWriter(store, run, head).commit(["one more"]);
    expect((await store.read(run)).at(-1)).toBe("one more");
  }
  for (const [hash, content] of Object.entries(goldenExpected.blobs)) {
    const kept = await store.getBlob(hash);
    expect(typeof kept === "string" ? kept : [...kept!]).toEqual(content);
  }
  expect(warnings).toEqual([]);
});

test("D11: reading changes no stored byte", async () => {
  const disk = diskWith(goldenFiles);
  const before = disk.operations;
  const { store } = openOn(disk);
  for (const run of RUNS) await Promise.all([store.head(run), store.read(run), store.notes(run)]);
  await Promise.all([store.runs(), store.checkpoints(), store.usage(), store.getBlob("f00d")]);
  await store.close();
  expect(disk.operations).toBe(before);
});

test.each(JOURNALS)("D2: %s cut at any byte is an earlier version of its run, or damage that is told", async (path) => {
  const bytes = goldenFiles.get(path)!;
  const outcomes = new Set<number | string>();
  let highest = -1;
  for (const length of cuts(bytes)) {
    const outcome = await damaged(withoutCaches, path, bytes.subarray(0, length));
    outcomes.add(outcome);
    if (typeof outcome === "string") expect(outcome).toBe("STORE_DATA_CORRUPT");
    else expect(outcome).toBeGreaterThanOrEqual(highest);
    highest = typeof outcome === "string" ? highest : outcome;
  }
  expect(highest).toBe(versionsOf(runOf(path)).length - 1);
  expect(outcomes.size).toBeGreaterThan(1);
});

test.each(JOURNALS)("D3: %s cut at any byte is damage where it is written down that more was acknowledged", async (path) => {
  const bytes = goldenFiles.get(path)!;
  for (const length of cuts(bytes).slice(0, -1)) {
    const outcome = await damaged(goldenFiles, path, bytes.subarray(0, length));
    expect([length, outcome]).toEqual([length, "STORE_DATA_CORRUPT"]);
  }
});

test.each(JOURNALS)("D3: no changed bit of %s gives other data: it is told, or the last write is taken for unfinished", async (path) => {
  const bytes = goldenFiles.get(path)!;
  const last = versionsOf(runOf(path)).length - 1;
  let told = 0;
  let seen = 0;
  for (const { at, flipped } of flips(bytes)) {
    const outcome = await damaged(withoutCaches, path, flipped);
    seen += 1;
    if (outcome === "STORE_DATA_CORRUPT") told += 1;
    // The last write of the run with segments holds three commits; that of the one with a base may be the base itself.
    else expect([at, outcome]).toEqual([at, expect.toSatisfy((version) => version >= last - 3 && version < last)]);
  }
  expect(told).toBeGreaterThan(seen / 2);
});

test("D3: a changed bit of what follows from a journal changes nothing, one of a note loses it, one of a blob is told", async () => {
  for (const [path, bytes] of goldenFiles) {
    for (const { flipped } of path.endsWith(".jsonl") ? [] : flips(bytes)) {
      const files = new Map([...goldenFiles, [path, flipped]]);
      const { store } = openOn(diskWith(files));
      if (path.endsWith("cache.json")) {
        const { head, entries } = versionsOf(runOf(path)).at(-1)!;
        expect([await store.head(runOf(path)), await store.read(runOf(path))]).toEqual([head, entries]);
      } else if (path.startsWith("runs/")) {
        expect(await store.notes(runOf(path))).toEqual([]);
      } else {
        await expect(store.getBlob(path.slice("blobs/".length, -1))).rejects.toMatchObject({ code: "STORE_DATA_CORRUPT" });
      }
    }
  }
});
