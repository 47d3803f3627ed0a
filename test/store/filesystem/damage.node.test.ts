import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isWorkflowError } from "../../../src/core/model/errors.ts";
import { filesystemStore } from "wavepoint/store/filesystem";
import { runWriter } from "wavepoint/testing";
import { runPath } from "./run-path.ts";

const ENTRIES = [['{"n":0}'], ['{"n":1}', '{"n":2}'], ['{"text":"é"}', "plain"], ['{"n":5}']];
/** How many entries stand after each commit. */
const WHOLE = [0, 1, 3, 5, 6];

let directory: string;
let journal: string;
let bytes: Buffer;
let warnings: string[];

function open(): ReturnType<typeof filesystemStore> {
  return filesystemStore(directory, { onWarning: (message) => warnings.push(message) });
}

beforeEach(async () => {
  warnings = [];
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  const store = open();
  const [writer, other] = [runWriter(store, "run_a"), runWriter(store, "run_b")];
  for (const entries of ENTRIES) await writer.commit(entries);
  await other.commit(["{}"]);
  await store.close();
  for (const run of ["run_a", "run_b"]) rmSync(runPath(directory, run, "cache.json"));
  journal = runPath(directory, "run_a", "0.jsonl");
  bytes = readFileSync(journal);
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Changes the journal in place: replacing the whole file thousands of times would wait for the disk each time. */
async function editJournal(edit: (file: number) => Promise<void>): Promise<void> {
  const file = openSync(journal, "r+");
  try {
    await edit(file);
  } finally {
    closeSync(file);
  }
}

async function outcome(): Promise<{ readonly entries: readonly string[] } | { readonly code: string }> {
  const store = open();
  try {
    const entries = await store.read("run_a");
    expect((await store.head("run_a"))?.entries ?? 0).toBe(entries.length);
    return { entries };
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    expect(await store.read("run_b")).toEqual(["{}"]);
    return { code: error.code };
  } finally {
    await store.close();
  }
}

test("D2: a journal cut at any byte is read as the commits that are whole", async () => {
  const all = ENTRIES.flat();
  let longest = -1;
  await editJournal(async (file) => {
    ftruncateSync(file);
    for (let length = 0; length <= bytes.length; length += 1) {
      if (length > 0) writeSync(file, bytes, length - 1, 1, length - 1);
      const result = await outcome();
      const entries = "entries" in result ? result.entries : [result.code];
      expect(WHOLE).toContain(entries.length);
      expect(entries).toEqual(all.slice(0, entries.length));
      expect(entries.length).toBeGreaterThanOrEqual(longest);
      longest = entries.length;
    }
  });
  expect(longest).toBe(6);
});

test("a run whose journal was cut goes on from its last whole commit, and says so", async () => {
  for (const cut of [1, 5, 20]) {
    writeFileSync(journal, bytes.subarray(0, bytes.length - cut));
    const store = open();
    await runWriter(store, "run_a", await store.head("run_a")).commit(['{"again":1}']);
    await store.close();
    expect(await outcome()).toEqual({ entries: [...ENTRIES.slice(0, 3).flat(), '{"again":1}'] });
    rmSync(runPath(directory, "run_a"), { recursive: true });
    mkdirSync(runPath(directory, "run_a"));
  }
  expect(warnings).toHaveLength(3);
});

test("NULs behind the last commit, as a power cut leaves them, are an unfinished write", async () => {
  writeFileSync(journal, Buffer.concat([bytes, Buffer.alloc(4096)]));
  expect(await outcome()).toEqual({ entries: ENTRIES.flat() });
});

test("D3: no changed bit of the last commit is taken for an unfinished write because of the room behind it", async () => {
  const start = bytes.indexOf('{"n":5}');
  let told = 0;
  for (let bit = start * 8; bit < bytes.length * 8; bit += 3) {
    const changed = Buffer.concat([bytes, Buffer.alloc(4096)]);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    writeFileSync(journal, changed);
    const withRoom = await outcome();
    writeFileSync(journal, changed.subarray(0, bytes.length));
    expect([bit, withRoom]).toEqual([bit, await outcome()]);
    if ("code" in withRoom) told += 1;
  }
  expect(told).toBeGreaterThan(40);
});

test("room behind the last commit is no unfinished write, wherever a write into it is cut", async () => {
  const all = ENTRIES.flat();
  const last = bytes.indexOf('{"n":5}');
  for (let written = last; written <= bytes.length; written += 1) {
    const cut = Buffer.concat([bytes.subarray(0, written), Buffer.alloc(4096)]);
    writeFileSync(journal, cut);
    const isWhole = written === bytes.length;
    expect(await outcome()).toEqual({ entries: isWhole ? all : all.slice(0, 5) });
    const store = open();
    const head = await store.head("run_a");
    await runWriter(store, "run_a", head).commit(['{"again":1}']);
    await store.close();
    expect([written, warnings.length]).toEqual([written, isWhole || written === last ? 0 : 1]);
    warnings = [];
    rmSync(runPath(directory, "run_a"), { recursive: true });
    mkdirSync(runPath(directory, "run_a"));
  }
});

test("D2: a journal that lost what was acknowledged is damaged, not unfinished, if the store was closed after it", async () => {
  const store = open();
  await runWriter(store, "run_a", await store.head("run_a")).commit(["{}"]);
  await store.close();
  const second = runPath(directory, "run_a", "1.jsonl");
  writeFileSync(second, readFileSync(second).subarray(0, -1));
  expect(await outcome()).toEqual({ code: "STORE_DATA_CORRUPT" });
  const lists = open();
  expect(await lists.runs()).toMatchObject({
    items: [{ id: "run_b" }],
    damaged: [{ run: "run_a", error: { code: "STORE_DATA_CORRUPT" } }],
  });
  await lists.close();
});
