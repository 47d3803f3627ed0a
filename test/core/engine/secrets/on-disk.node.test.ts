import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { CANARY, leaksIn } from "./canary.ts";
import { leakyBlocks, leakyWorkflow } from "./spill.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavepoint-secrets-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** Every byte below the folder, and every name. */
async function readAll(): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return [...files, ...contents].join("\n");
}

test("no file of the file system store holds a secret, in no encoding", async () => {
  const store = filesystemStore(folder);
  const executor = createExecutor({ store, blocks: leakyBlocks, secrets: () => CANARY });
  for (const { type } of leakyBlocks) {
    const run = await executor.start(leakyWorkflow(type));
    const result = await run.settled();
    if (result.status === "paused") await run.answer(result.pauses[0]!.id, CANARY);
  }
  await executor.close();
  const whileOpen = await readAll();
  await store.close();
  const bytes = whileOpen + (await readAll());
  expect(bytes.split("***").length).toBeGreaterThan(100);
  expect(leaksIn(bytes)).toEqual([]);
  expect(bytes.includes("kanarie")).toBe(false);
});
