import { expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { workflowSchema } from "wavepoint/yaml";
import { completionsAt, type EditorSchema } from "../../../demo/tools/complete-yaml.ts";

const SCHEMA = workflowSchema(builtinBlocks) as EditorSchema;

/** What is offered where the bar stands. */
function offered(text: string): readonly string[] {
  const at = text.indexOf("|");
  return completionsAt(text.replace("|", ""), at, SCHEMA)?.options.map(({ label }) => label) ?? [];
}

test("the keys of a workflow that it does not have yet", () => {
  const keys = offered("name: a\n|");
  expect(keys).toContain("blocks");
  expect(keys).toContain("outputs");
  expect(keys).not.toContain("name");
});

test("the keys of a block, and its type by name", () => {
  expect(offered("name: a\nblocks:\n  - id: one\n    |\n")).toEqual(
    expect.arrayContaining(["type", "inputs", "depends_on", "condition", "retry"]),
  );
  expect(offered("blocks:\n  - id: one\n    type: AskChoice\n    |\n  - id: two\n    inputs:\n")).toContain("inputs");
  expect(offered("blocks:\n  - id: one\n    type: As|")).toContain("AskChoice");
});

test("the inputs of the type of its block, whichever stands first", () => {
  const before = offered("blocks:\n  - id: one\n    type: AskChoice\n    inputs:\n      |");
  expect(before).toEqual(expect.arrayContaining(["question", "choices"]));
  const after = offered(
    "blocks:\n  - id: one\n    inputs:\n      question: Which?\n      |\n    type: AskChoice\n  - id: two\n    type: GetInput\n",
  );
  expect(after).toContain("choices");
  expect(after).not.toContain("question");
  expect(after).not.toContain("prompt");
});

test("the keys of what stands deeper, in lists whose dashes stand below their key too", () => {
  expect(offered("blocks:\n- id: one\n  retry:\n    |")).toContain("max_attempts");
  expect(offered("inputs:\n  name:\n    |\nblocks: []")).toEqual(expect.arrayContaining(["type", "required", "default"]));
});

test("values: choices, true and false, and the ids of blocks", () => {
  expect(offered("inputs:\n  name:\n    required: |")).toEqual(["true", "false"]);
  expect(offered("blocks:\n  - id: one\n  - id: two\n    depends_on: [|")).toEqual(["one", "two"]);
  expect(offered("blocks:\n  - id: one\n  - id: two\n    depends_on: [one, t|]")).toEqual(["one", "two"]);
});

test("nothing within a text", () => {
  expect(offered("name: a\ndescription: What it is fo|r")).toEqual([]);
});

test("a word is replaced from its beginning", () => {
  const text = "name: a\nblo";
  expect(completionsAt(text, text.length, SCHEMA)?.from).toBe(8);
});
