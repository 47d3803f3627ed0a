import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realDisk } from "../../../src/store/filesystem/real-disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { filesystemStore } from "wavepoint/store/filesystem";
import { checkpointRow } from "../../../src/testing/conformance/writer.ts";
import { runWriter } from "wavepoint/testing";
import { runPath } from "./run-path.ts";

const OF_RUN = ["1.jsonl", "cache.json", "draft,0="].map((name) => runPath("", "run_a", name));

let directory: string;
let umask: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  // As wide as can be: what is narrow now is narrow by itself.
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  rmSync(directory, { recursive: true });
});

/** Every file and directory that a store made, with what it allows, in octal. */
function modes(root: string): Map<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" });
  return new Map([".", ...paths].map((path) => [path, (statSync(join(root, path)).mode & 0o777).toString(8)]));
}

async function writeAll(root: string): Promise<() => Promise<void>> {
  const store = filesystemStore(root);
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"], { checkpoints: [checkpointRow("run_a", 0)] });
  await store.putNote("run_a", "draft.0", "secret");
  await writer.commit(["{}"], { base: { at: 1, text: "{}" }, head: { status: "paused" } });
  await store.putBlob("f00d", "text");
  await store.claim("run_a");
  await runWriter(filesystemStore(root), "run_b").commit(["{}"]);
  await new Promise(setImmediate);
  return () => store.close();
}

test("all that a store makes belongs to its owner alone, under every umask", async () => {
  const root = join(directory, "made", "here");
  const close = await writeAll(root);
  const found = modes(root);
  for (const name of [...OF_RUN, "blobs/f00d=", "claims/run_a="]) {
    expect([name, found.get(name)]).toEqual([name, "600"]);
  }
  for (const [path, mode] of found) expect([path, mode]).toEqual([path, statSync(join(root, path)).isDirectory() ? "700" : "600"]);
  expect(modes(directory).get("made")).toBe("700");
  await close();
});

test("directories of an earlier store that others may read are narrowed, the one they stand in is left alone", async () => {
  chmodSync(directory, 0o755);
  for (const name of ["runs", "blobs", "cache", "claims", "index", "temp"]) mkdirSync(join(directory, name), { mode: 0o777 });
  await (
    await writeAll(directory)
  )();
  const found = modes(directory);
  expect(["runs", "blobs", "cache", "claims", "index", "temp"].map((name) => found.get(name))).toEqual(
    Array.from({ length: 6 }, () => "700"),
  );
  expect(found.get(".")).toBe("755");
});

test("what cannot be narrowed is reported, and the store works", async () => {
  mkdirSync(join(directory, "runs"), { mode: 0o777 });
  const warnings: string[] = [];
  const restrict = (): never => {
    throw Object.assign(new Error("not the owner"), { code: "EPERM" });
  };
  const store = openFilesystemStore(directory, { ...realDisk, restrict }, (message) => warnings.push(message));
  await runWriter(store, "run_a").commit(["{}"]);
  expect(await store.read("run_a")).toEqual(["{}"]);
  expect(warnings).toEqual([expect.stringContaining("could not be closed to them: not the owner")]);
  await store.close();
});
