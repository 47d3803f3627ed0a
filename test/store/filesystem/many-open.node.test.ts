import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { runWriter } from "wavepoint/testing";

/** More than a store keeps open for writing at the same time. */
const RUNS = 100;
const COMMITS = 10;

let directory: string;

beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "wavepoint-"))));
afterEach(() => rmSync(directory, { recursive: true }));

test("no file is closed under a write, though more runs are written to at once than files are kept open for", async () => {
  const store = filesystemStore(directory);
  const runs = Array.from({ length: RUNS }, (_, number) => `run_${number}`);
  await Promise.all(
    runs.map(async (run) => {
      const writer = runWriter(store, run);
      for (let number = 0; number < COMMITS; number += 1) await writer.commit([JSON.stringify({ number })]);
    }),
  );
  for (const run of runs) expect(await store.read(run)).toHaveLength(COMMITS);
  await store.close();
});
