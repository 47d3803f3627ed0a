import { describe, expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { checkWorkflow } from "wavepoint/yaml";
import { examplesIn, type Example } from "./documents.ts";

const examples = examplesIn("yaml");

/** A fragment is a list of blocks, or some of the keys of a workflow. */
function wholeText({ text, marks }: Example): string {
  if (!marks.includes("fragment")) return text;
  if (text.startsWith("- ")) return `name: fragment\nblocks:\n${text}`;
  return `name: fragment\n${text}${/^blocks:/m.test(text) ? "" : "blocks: []\n"}`;
}

test("there are examples", () => {
  expect(examples.length).toBeGreaterThan(6);
});

describe("each example is a workflow without errors and warnings", () => {
  test.each(examples)("$place", (example) => {
    expect(checkWorkflow(wholeText(example), { blocks: builtinBlocks }).problems).toEqual([]);
  });
});
