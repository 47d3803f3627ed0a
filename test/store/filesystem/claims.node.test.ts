import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";

let directory: string;

beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "wavepoint-"))));
afterEach(() => rmSync(directory, { recursive: true }));

const locks = (): readonly string[] => readdirSync(join(directory, "claims"));

test("the locks of a store name this process, whichever run they are of, and go with it", async () => {
  const store = filesystemStore(directory);
  const releases = [await store.claim("run_a"), await store.claim("run_b")];
  const holders = locks().map((name) => readFileSync(join(directory, "claims", name), "utf8"));
  expect(holders).toHaveLength(2);
  for (const holder of holders) expect(Number(holder.split(" ")[0])).toBe(process.pid);
  await releases[0]!();
  expect(locks()).toHaveLength(1);
  await store.close();
  expect([locks(), readdirSync(join(directory, "temp"))]).toEqual([[], []]);
});

test("a run is claimed though temporary files were removed under the store", async () => {
  const store = filesystemStore(directory);
  await (await store.claim("run_a"))!();
  for (const name of readdirSync(join(directory, "temp"))) rmSync(join(directory, "temp", name));
  const release = await store.claim("run_a");
  expect(release).toBeTypeOf("function");
  const other = filesystemStore(directory);
  expect(await other.claim("run_a")).toBeUndefined();
  await release!();
  expect(await other.claim("run_a")).toBeTypeOf("function");
  await other.close();
  await store.close();
});

test("to release a run once more does not give up what was claimed since", async () => {
  const store = filesystemStore(directory);
  const first = await store.claim("run_a");
  await first!();
  await store.claim("run_a");
  await first!();
  expect(locks()).toHaveLength(1);
  await store.close();
});
