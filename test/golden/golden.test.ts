import { afterEach, describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { clearDatabase } from "../support/clear-database.ts";
import { unpackText, isPacked } from "../../src/core/journal/values/pack-text.ts";
import { defaultHost } from "../../src/default-host.ts";
import { GOLDEN_CASES, type GoldenCase } from "./golden-cases.ts";
import { restoreDatabase, type GoldenDatabase } from "./golden-database.ts";
import { finder, readRun, tryOut, type Findings } from "./golden-findings.ts";
import { dumpRuns, restoreRuns, type GoldenRuns } from "./golden-runs.ts";
import database from "./v1/indexeddb.json" with { type: "json" };
import exported from "./v1/exported.json" with { type: "json" };
import runs from "./v1/runs.json" with { type: "json" };
import early from "./v1-early/runs.json" with { type: "json" };

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const goldenRuns = runs as unknown as GoldenRuns;
const name = "golden-database";

afterEach(() => clearDatabase(name));

function findingsOf(findings: object, golden: GoldenCase): Findings {
  return (findings as { readonly [name: string]: Findings })[golden.name]!;
}

const media: readonly { readonly kind: string; readonly findings: object; open(): Promise<Store> }[] = [
  { kind: "a memory store", findings: runs.findings, open: async () => filled(memoryStore()) },
  { kind: "an IndexedDB store", findings: runs.findings, open: async () => filled(indexedDbStore({ name })) },
  {
    kind: "a database of that time",
    findings: database.findings,
    open: async () => {
      await restoreDatabase(name, database as GoldenDatabase);
      return indexedDbStore({ name });
    },
  },
];

async function filled(store: Store): Promise<Store> {
  await restoreRuns(goldenRuns, store);
  return store;
}

describe.each(media)("D11: runs of version 1 in $kind", ({ open, findings }) => {
  test("are all listed", async () => {
    const store = await open();
    const { items, damaged } = await store.runs({ limit: 1_000 });
    expect(damaged).toBeUndefined();
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(GOLDEN_CASES.map((golden) => findingsOf(findings, golden).run)));
    await store.close();
  });

  test.each(GOLDEN_CASES)("load as they were, and go on to the same end: $name", async (golden) => {
    const store = await open();
    const expected = findingsOf(findings, golden);
    expect(await tryOut(store, golden, expected.run)).toMatchObject(expected);
    await store.close();
  });

  test("are not touched by reading them", async () => {
    const store = await open();
    const before = await dumpRuns(store);
    for (const golden of GOLDEN_CASES) await readRun(finder(store, golden), findingsOf(findings, golden).run);
    expect(await dumpRuns(store)).toEqual(before);
    await store.close();
  });
});

/** Written by the engine as it was before entries beside these, bases, notes and blobs of bytes came to be. */
describe("D11: runs of version 1, early", () => {
  const earlyCases = GOLDEN_CASES.filter((golden) => Object.hasOwn(early.findings, golden.name));

  test.each(earlyCases)("load, and go on to the same end: $name", async (golden) => {
    const store = memoryStore();
    await restoreRuns(early as unknown as GoldenRuns, store);
    const expected = findingsOf(early.findings, golden);
    const before = await dumpRuns(store);
    await readRun(finder(store, golden), expected.run);
    expect(await dumpRuns(store)).toEqual(before);
    expect((await tryOut(store, golden, expected.run)).end).toMatchObject(expected.end as object);
  });

  test("are those of several kinds", () => {
    expect(earlyCases).toHaveLength(5);
  });
});

describe("D11: files of version 1", () => {
  test.each(Object.entries(exported))("are imported, and their runs go on to the same end: %s", async (caseName, file) => {
    const golden = GOLDEN_CASES.find((one) => one.name === caseName)!;
    const store = memoryStore();
    const expected = findingsOf(runs.findings, golden);
    await finder(store, golden).runs.import(file);
    expect((await tryOut(store, golden, expected.run)).end).toMatchObject(expected.end as object);
  });
});

describe("D11: a newer version", () => {
  const next = (text: string): string => text.replace('"version":1', '"version":2');

  test.each(["values", "latest"])("is refused, and what is stored stays as it is: %s", async (caseName) => {
    const golden = GOLDEN_CASES.find((one) => one.name === caseName)!;
    const { run } = findingsOf(runs.findings, golden);
    const newer = goldenRuns.runs.map((one) => (one.head.id === run ? { ...one, entries: one.entries.map(next) } : one));
    const store = memoryStore();
    await restoreRuns({ ...goldenRuns, runs: newer }, store);
    const before = await dumpRuns(store);
    const executor = finder(store, golden);
    await expect(executor.open(run)).rejects.toMatchObject({ code: "SCHEMA_VERSION_UNSUPPORTED", details: { found: 2, supported: 1 } });
    await expect(executor.answer(`pause_${run.slice(4)}.0`, "x")).rejects.toMatchObject({ code: "SCHEMA_VERSION_UNSUPPORTED" });
    expect(await dumpRuns(store)).toEqual(before);
    const other = GOLDEN_CASES.find((one) => one.name === "items")!;
    expect(await tryOut(store, other, findingsOf(runs.findings, other).run)).toMatchObject(findingsOf(runs.findings, other));
  });
});

test("the golden runs hold every entry there is", async () => {
  const types = new Set<string>();
  for (const { entries } of goldenRuns.runs) {
    for (const text of entries) {
      const plain = isPacked(text) ? await unpackText(text, defaultHost()) : text;
      types.add((JSON.parse(plain) as { readonly type: string }).type);
    }
  }
  const all = `started completed failed skipped paused items attempted waiting iterated answered reopened called resumed forgotten base
    recovered began revised kept moved transferred arrived finished`;
  expect(types).toEqual(new Set(all.split(/\s+/)));
});
