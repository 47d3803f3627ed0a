import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { nodeFiles } from "wavepoint/node";
import { read, write } from "../../support/file-attempt.ts";
import { openHandlesBelow, temporaryFolder } from "./temporary-folder.ts";

const ROUNDS = 500;
const SWAPS = 1_000;
const SECRET = "outside";

test("S4: links that are swapped in meanwhile lead nothing in or out", async () => {
  const all = temporaryFolder();
  const root = join(all, "root");
  const outside = join(all, "outside");
  mkdirSync(join(root, "folder"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(root, "folder/file"), "inside");
  writeFileSync(join(outside, "file"), SECRET);
  const before = statSync(outside, { bigint: true });

  const stop = new Int32Array(new SharedArrayBuffer(4));
  const swapper = new Worker(new URL("swap-links.mjs", import.meta.url), { workerData: { root, outside, stop } });
  await once(swapper, "message");
  const finished = once(swapper, "message") as Promise<[number]>;

  const files = nodeFiles({ root });
  const outcomes = new Map<string, number>();
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  for (let round = 0; round < ROUNDS; round++) {
    const seen = await Promise.all([
      read(files, "folder/file"),
      write(files, "folder/file", "inside", { overwrite: true }),
      write(files, `folder/new-${round}`, "inside"),
      write(files, `folder/deep-${round}/new`, "inside"),
    ]);
    seen.forEach(count);
  }
  Atomics.store(stop, 0, 1);
  const [swaps] = await finished;

  // The race was one: both sides did much, and met.
  expect(swaps).toBeGreaterThan(SWAPS);
  expect(outcomes.get("FILE_REFUSED")).toBeGreaterThan(0);
  expect(outcomes.get("inside")).toBeGreaterThan(0);
  expect(outcomes.get("created")).toBeGreaterThan(0);

  expect([...outcomes.keys()]).not.toContain(SECRET);
  expect(readdirSync(outside)).toEqual(["file"]);
  expect(readFileSync(join(outside, "file"), "utf8")).toBe(SECRET);
  expect(statSync(outside, { bigint: true }).mtimeNs).toBe(before.mtimeNs);
  expect(openHandlesBelow(root)).toEqual([]);
});
