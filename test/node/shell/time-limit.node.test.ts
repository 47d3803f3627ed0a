import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createExecutor, type Files, type Workflow } from "wavepoint";
import { nodeFiles, nodeShell } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { sleeping, until } from "./sleeping.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavepoint-limit-"));
});
afterEach(async () => {
  await rm(root, { recursive: true });
});

async function play(workflow: Workflow, files: Files = nodeFiles({ root })) {
  const executor = createExecutor({ store: memoryStore(), grants: { shell: nodeShell({ root }), files }, workflows: [workflow] });
  const run = await executor.start(workflow.name);
  const result = await run.settled();
  const steps = await run.steps();
  await executor.close();
  return { result, steps };
}

test("a command whose block takes too long is ended with all it started, before it is tried again", async () => {
  const command = "trap 'echo ended >> ledger; exit 1' TERM; sleep 3201 & sleep 3201 & echo began >> ledger; wait";
  const blocks = [{ id: "a", type: "Shell", inputs: { command }, timeoutMs: 300, retry: { maxAttempts: 2, delayMs: 0 } }];
  // Its time is over once it has begun, however long that takes.
  const host = fakeHost();
  const executor = createExecutor({
    store: memoryStore(),
    host,
    grants: { shell: nodeShell({ root }) },
    workflows: [{ name: "flow", blocks }],
  });
  const run = await executor.start("flow");
  const ledger = async (): Promise<readonly string[]> =>
    (await readFile(join(root, "ledger"), "utf8").catch(() => "")).split("\n").filter(Boolean);
  for (const written of [["began"], ["began", "ended", "began"]]) {
    await until(async () => (await ledger()).length === written.length);
    expect(await ledger()).toEqual(written);
    await host.advance(300);
  }
  expect(await run.settled()).toMatchObject({ error: { code: "BLOCK_TIMEOUT" } });
  expect(await run.steps()).toMatchObject([{ status: "failed", attempts: 2 }]);
  expect(await sleeping("3201")).toEqual([]);
  expect(await ledger()).toEqual(["began", "ended", "began", "ended"]);
  await executor.close();
});

test("a command that does not want to end does not hold the run up for long, and is gone then", async () => {
  const { result } = await play({
    name: "flow",
    blocks: [{ id: "a", type: "Shell", inputs: { command: "trap '' TERM; sleep 3202; sleep 3202" }, timeoutMs: 100 }],
  });
  expect(result).toMatchObject({ error: { code: "BLOCK_TIMEOUT" } });
  await until(async () => (await sleeping("3202")).length === 0);
});

test("each item has a folder of its own, and a folder that cannot be removed takes nothing from its step", async () => {
  const files = nodeFiles({ root });
  const kept: string[] = [];
  const stubborn: Files = {
    ...files,
    scratch: async () => {
      const { path } = await files.scratch!();
      kept.push(path);
      return { path, read: files.read, remove: () => Promise.reject(new Error("It is in use.")) } as never;
    },
  };
  const { result } = await play(
    {
      name: "flow",
      blocks: [
        {
          id: "each",
          type: "Shell",
          forEach: ["a", "b"],
          inputs: { command: 'echo ${each.value} > "$SCRATCH/own"; cat "$SCRATCH"/*' },
        },
      ],
      outputs: { a: "${blocks.each.results[0].stdout}", b: "${blocks.each.results[1].stdout}" },
    },
    stubborn,
  );
  expect(result).toMatchObject({ status: "success", outputs: { a: "a\n", b: "b\n" } });
  expect(new Set(kept).size).toBe(2);
  expect((await Promise.all(kept.map((path) => readdir(path)))).flat()).toEqual(["own", "own"]);
  await Promise.all(kept.map((path) => rm(path, { recursive: true })));
});
