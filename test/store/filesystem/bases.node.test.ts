import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { runWriter } from "wavepoint/testing";
import { runPath } from "./run-path.ts";

const LONG_TEXT = JSON.stringify({ text: "history ".repeat(10_000) });

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function segments(): string[] {
  return readdirSync(runPath(directory, "run_a")).filter((name) => name.endsWith(".jsonl"));
}

test("what a base stands for leaves the disk, and the store says so", async () => {
  const store = filesystemStore(directory);
  const writer = runWriter(store, "run_a");
  for (let count = 0; count < 20; count += 1) await writer.commit([LONG_TEXT]);
  const before = (await store.usage()).bytes!;
  await writer.commit(['{"last":1}'], { base: { at: 20, text: '{"base":1}' } });
  expect(before).toBeGreaterThan(20 * LONG_TEXT.length);
  expect((await store.usage()).bytes!).toBeLessThan(5000);
  expect(segments()).toEqual(["1.jsonl"]);
  expect(readFileSync(runPath(directory, "run_a", "1.jsonl"), "utf8")).not.toContain("history");
  await store.close();
});

test("segments that a store left behind a base when it died go with the next writer", async () => {
  const store = filesystemStore(directory);
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
  const first = readFileSync(runPath(directory, "run_a", "0.jsonl"));
  await writer.commit([], { base: { at: 1, text: '{"base":1}' } });
  await store.close();
  writeFileSync(runPath(directory, "run_a", "0.jsonl"), first);
  const next = filesystemStore(directory);
  expect(await next.read("run_a")).toEqual(['{"base":1}']);
  await runWriter(next, "run_a", await next.head("run_a")).commit(["{}"]);
  expect(segments().toSorted()).toEqual(["1.jsonl", "2.jsonl"]);
  expect(await next.read("run_a")).toEqual(['{"base":1}', "{}"]);
  await next.close();
});

test("who reads while a base is put in place sees the journal before it or after it", async () => {
  const store = filesystemStore(directory);
  const writer = runWriter(store, "run_a");
  await writer.commit(["one", "two"]);
  const reads: Promise<readonly string[]>[] = [];
  const onlooker = filesystemStore(directory);
  for (let count = 0; count < 30; count += 1) {
    const committed = writer.commit([], { base: { at: 2, text: `base ${count}` } });
    reads.push(store.read("run_a"), onlooker.read("run_a"));
    await committed;
  }
  const seen = await Promise.all(reads);
  for (const entries of seen) expect(entries.join()).toMatch(/^(one,two|base \d+)$/);
  expect(await onlooker.read("run_a")).toEqual(["base 29"]);
  await store.close();
  await onlooker.close();
});
