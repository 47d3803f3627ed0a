import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createExecutor, defineBlock, success } from "wavepoint";
import type { BlockType, Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { filesystemStore } from "wavepoint/store/filesystem";
import { CANARY, leaksIn } from "./canary.ts";
import { goThroughKeys, keyedExecutor, sentKeys } from "./keyed-canary.ts";
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

test("S10: no file of the file system store holds a secret, as it is or in an encoding that is searched for", async () => {
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

test("no file holds what stands under a secret key, and another process goes on without it", async () => {
  const store = filesystemStore(folder);
  const dying = keyedExecutor(store);
  const id = await goThroughKeys(dying);
  expect(sentKeys).toEqual([{ token: CANARY, key: CANARY, note: `with ${CANARY}` }]);
  const files = [await dying.runs.export(id), await readAll()];
  await dying.close();
  await store.close();

  const reopened = filesystemStore(folder);
  const executor = keyedExecutor(reopened);
  const run = await executor.open(id);
  expect((await run.answer(run.getSnapshot().pauses[0]!.id, "yes")).status).toBe("success");
  await executor.close();
  await reopened.close();
  const bytes = [...files, await readAll()].join("\n");
  expect(bytes.split("***").length).toBeGreaterThan(10);
  expect(leaksIn(bytes)).toEqual([]);
  expect(bytes.includes("kanarie")).toBe(false);
});

test("a store with a key keeps what stands under secret keys, sealed", async () => {
  const once: BlockType = {
    ...defineBlock({ type: "Once", execute: async () => success({ token: CANARY, pin: { secret: 123_456 } }) }),
    effect: "once",
  };
  const seen: unknown[] = [];
  const use = defineBlock({
    type: "Use",
    execute: ({ inputs }) => {
      seen.push(inputs);
      return success({});
    },
  });
  const key = { key: new Uint8Array(32).fill(7) };
  const workflow: Workflow = {
    name: "once",
    inputs: { password: { type: "string" } },
    blocks: [
      { id: "once", type: "Once" },
      { id: "ask", type: "GetInput", inputs: { prompt: "Go on?" }, dependsOn: ["once"] },
      { id: "use", type: "Use", inputs: { all: "${blocks.once.outputs}", password: "${inputs.password}" }, dependsOn: ["ask"] },
    ],
  };
  const first = await encryptedStore(filesystemStore(folder), key);
  const dying = createExecutor({ store: first, blocks: [once, use] });
  const paused = await (await dying.start(workflow, { password: `${CANARY}!` })).settled();
  await dying.close();
  expect((await first.read(paused.run)).join("\n")).not.toContain("kanarie");
  await first.close();

  const again = await encryptedStore(filesystemStore(folder), key);
  const executor = createExecutor({ store: again, blocks: [once, use] });
  expect((await executor.answer(paused.pauses![0]!.id, "yes")).status).toBe("success");
  expect(seen).toEqual([{ all: { token: CANARY, pin: { secret: 123_456 } }, password: `${CANARY}!` }]);
  await executor.close();
  await again.close();
  expect(leaksIn(await readAll())).toEqual([]);
});
