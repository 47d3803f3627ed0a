import { describe, expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { loadWorkflow } from "wavepoint/yaml";
import { BLOCK_GROUPS } from "../../scripts/reference/block-groups.mjs";
import { readExample } from "../../scripts/reference/read-examples.mjs";
import { runExample } from "./run-example.ts";

const types = BLOCK_GROUPS.flatMap((group) => group.types);

test("there are examples", () => {
  expect(types.length).toBeGreaterThan(15);
});

test.each(types)("the example of %s has a block of that type", (type) => {
  expect(loadWorkflow(readExample(type).text, { blocks: builtinBlocks }).blocks.map((block) => block.type)).toContain(type);
});

describe.skipIf(process.platform === "win32")("the example gives what the reference says", () => {
  test.each(types)("of %s", async (type) => {
    const { text, called, run } = readExample(type);
    expect(await runExample(text, { ...run, called })).toEqual(run.outputs);
  });
});
