import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { runWriter } from "wavepoint/testing";
import { runPath } from "./run-path.ts";

let directory: string;
let draft: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  draft = runPath(directory, "run_a", "draft,0=");
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a note whose file comes back after the commit that dropped it stays gone, in every store", async () => {
  const store = filesystemStore(directory);
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
  await store.putNote("run_a", "draft.0", "typed");
  const file = readFileSync(draft);
  await writer.commit(["{}"], { dropNotes: ["draft.0"] });
  expect(readdirSync(runPath(directory, "run_a"))).not.toContain("draft,0=");
  writeFileSync(draft, file);
  expect(await store.notes("run_a")).toEqual([]);
  await writer.commit([], { base: { at: 2, text: "{}" } });
  await store.close();
  for (const left of ["cache.json", undefined]) {
    const another = filesystemStore(directory);
    expect(await another.notes("run_a")).toEqual([]);
    await another.close();
    if (left !== undefined) rmSync(runPath(directory, "run_a", left));
  }
  const next = filesystemStore(directory);
  await runWriter(next, "run_a", await next.head("run_a")).commit(["{}"]);
  expect(readdirSync(runPath(directory, "run_a"))).not.toContain("draft,0=");
  await next.putNote("run_a", "draft.0", "a new one");
  expect(await next.notes("run_a")).toEqual([{ key: "draft.0", text: "a new one" }]);
  await next.close();
});

test("a run with very many dropped notes forgets them in time, and none comes back", async () => {
  const store = filesystemStore(directory);
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
  for (let count = 0; count < 200; count += 1) {
    await store.putNote("run_a", `draft.${count}`, "typed");
    await writer.commit([], { dropNotes: [`draft.${count}`] });
  }
  await store.close();
  expect(readFileSync(runPath(directory, "run_a", "cache.json"), "utf8").length).toBeLessThan(2500);
  expect(readdirSync(runPath(directory, "run_a")).toSorted()).toEqual(["0.jsonl", "cache.json"]);
  const next = filesystemStore(directory);
  expect(await next.notes("run_a")).toEqual([]);
  await next.close();
});

test("a damaged note is left out, the others stay", async () => {
  const store = filesystemStore(directory);
  await runWriter(store, "run_a").commit(["{}"]);
  for (const key of ["draft.0", "draft.1"]) await store.putNote("run_a", key, key);
  writeFileSync(draft, readFileSync(draft, "utf8").replace("draft", "craft"));
  expect(await store.notes("run_a")).toEqual([{ key: "draft.1", text: "draft.1" }]);
  await store.close();
});

test("a note is written as it is, and as a JSON string only where it would be taken for one or is no line", async () => {
  const store = filesystemStore(directory);
  await runWriter(store, "run_a").commit(["{}"]);
  const written = async (text: string): Promise<string> => {
    await store.putNote("run_a", "draft.0", text);
    expect(await store.notes("run_a")).toEqual([{ key: "draft.0", text }]);
    return readFileSync(draft, "utf8").split("\n")[0]!;
  };
  for (const text of ['[{"at":1}]', '{"at":1}', '12 {"at":1}', "", "[", '["draft.0",1,"00000000"]']) expect(await written(text)).toBe(text);
  for (const text of ['"quoted"', '"', "two\nlines", "\ud800", "\0"]) expect(await written(text)).toBe(JSON.stringify(text));
  await store.close();
});
