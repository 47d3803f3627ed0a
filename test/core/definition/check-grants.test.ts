import { createExecutor } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { memoryStore } from "wavepoint/store/memory";
import { describe, expect, test } from "vitest";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";
import { neededBy } from "../../../src/core/ports/block.ts";

const needy = builtinBlocks.flatMap((block) => neededBy(block).map((capability) => ({ type: block.type, capability })));
const blockTypes = new Map(builtinBlocks.map((block) => [block.type, block]));

/** Where the messages send a reader, by what is missing. */
const WHERE = {
  files: "nodeFiles of wavepoint/node in Node or by opfsFiles of wavepoint/browser in a browser",
  shell: "Commands run in Node only",
  network: "allowHosts of wavepoint/network",
  models: "grants: { models: { name: model } }",
};

test("files, commands and hosts are each needed by some built-in block", () => {
  expect(new Set(needy.map(({ capability }) => capability))).toEqual(new Set(["files", "shell", "network"]));
});

describe("S6: without grants, loading a workflow says where its block runs", () => {
  test.each(needy.map(({ type, capability }) => [type, capability] as const))("%s", (type, capability) => {
    const problems = checkDefinition({ name: "w", blocks: [{ id: "it", type }] }, { blockTypes, grants: {} });
    const missing = problems.filter(({ code }) => code === "CAPABILITY_MISSING");
    expect(missing).toMatchObject([{ path: "blocks[0].type", details: { block: "it", type, capability } }]);
    expect(missing[0]!.message).toContain(`Block "it" of type ${type} needs "${capability}"`);
    expect(missing[0]!.message).toContain(WHERE[capability]);
  });
});

test("what is to be a file of the run needs nothing", () => {
  const blocks = ["CreateFile", "ReadFile", "EditFile"].map((type) => ({ id: type, type, inputs: { in: "run" } }));
  const problems = checkDefinition({ name: "w", blocks }, { blockTypes, grants: {} });
  expect(problems.filter(({ code }) => code === "CAPABILITY_MISSING")).toEqual([]);
});

test("and nothing of it is stored", async () => {
  const store = memoryStore();
  const executor = createExecutor({ store });
  const started = executor.start({ name: "w", blocks: [{ id: "it", type: "Shell", inputs: { command: "ls" } }] });
  await expect(started).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  expect((await store.runs()).items).toEqual([]);
});
