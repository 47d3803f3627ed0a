import { describe, expect, test } from "vitest";
import { ADVICE } from "../../../src/core/definition/check/advice.ts";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";
import type { Block, Workflow } from "../../../src/core/model/workflow.ts";
import type { BlockType } from "../../../src/core/ports/block.ts";

const sound: Workflow = {
  name: "sound",
  inputs: { who: { type: "string", default: "you" } },
  blocks: [
    { id: "a", type: "Echo", inputs: { message: "hi ${inputs.who}" } },
    {
      id: "b",
      type: "Echo",
      inputs: { message: "${blocks.a.outputs.echoed}" },
      dependsOn: ["a"],
      condition: "${blocks.a.succeeded} == true",
    },
    { id: "c", type: "Echo", inputs: { message: "${blocks.a.outputs.echoed}" }, dependsOn: ["b"] },
  ],
  outputs: { all: "${blocks.c.outputs.echoed}" },
};

/** What is found, as lines of severity, code and path. */
function found(workflow: unknown, types?: readonly BlockType[]): readonly string[] {
  const options = types === undefined ? {} : { blockTypes: new Map(types.map((type) => [type.type, type])) };
  return checkDefinition(workflow as Workflow, { advice: ADVICE, ...options }).map(
    ({ severity, code, path }) => `${severity} ${code} ${path}`,
  );
}

function withBlocks(...blocks: readonly Block[]): Workflow {
  return { name: "w", blocks };
}

test("a sound definition has no problems", () => {
  expect(checkDefinition(sound)).toEqual([]);
});

test("every problem is found at once", () => {
  expect(
    found({
      name: "two words",
      inputs: { n: { type: "integer", default: "five" }, ü: { type: "string" }, size: { type: "string", enum: ["s", 1], default: "xl" } },
      blocks: [
        { id: "a", type: "Echo", inputs: { message: "${inputs.nn} and ${blocks.b.x}" }, dependsOn: ["ghost", "a"] },
        { id: "b", type: "Echo", condition: "${inputs.n} + 1" },
        { id: "b", type: "Echo" },
      ],
      outputs: { o: "${blocks.c.x}" },
    }),
  ).toEqual([
    "error ID_INVALID name",
    "error INPUT_DEFAULT_INVALID inputs.n.default",
    'error ID_INVALID inputs["ü"]',
    "error SCHEMA_INVALID inputs.size.enum[1]",
    "error INPUT_DEFAULT_INVALID inputs.size.default",
    "error ID_DUPLICATE blocks[2].id",
    "error DEPENDENCY_UNKNOWN blocks[0].dependsOn[0]",
    "error DEPENDENCY_CYCLE blocks[0].dependsOn[1]",
    "error REFERENCE_UNKNOWN blocks[0].inputs.message",
    "error EXPRESSION_SYNTAX blocks[1].condition",
    "error REFERENCE_UNKNOWN outputs.o",
    "error REFERENCE_TOO_EARLY blocks[0].inputs.message",
  ]);
});

describe("the shape of a definition", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["a list", [], ["error SCHEMA_INVALID "]],
    ["nothing", null, ["error SCHEMA_INVALID "]],
    ["no blocks", { name: "w" }, ["error SCHEMA_INVALID blocks"]],
    ["a misspelt key", { name: "w", blocks: [{ id: "a", type: "Echo", dependOn: [] }] }, ["error KEY_UNKNOWN blocks[0].dependOn"]],
    [
      "blocks of other types",
      { name: "w", blocks: [1, { id: 5, type: "Echo" }] },
      ["error SCHEMA_INVALID blocks[0]", "error SCHEMA_INVALID blocks[1].id"],
    ],
    ["an unknown type", { name: "w", inputs: { a: { type: "strng" } }, blocks: [] }, ["error SCHEMA_INVALID inputs.a.type"]],
    [
      "recursion without end",
      { name: "w", blocks: [{ id: "a", type: "Echo", maxDepth: 1e6 }] },
      ["error LIMIT_EXCEEDED blocks[0].maxDepth"],
    ],
    [
      "a dependency without a block",
      { name: "w", blocks: [{ id: "a", type: "Echo", dependsOn: [{}] }] },
      ["error SCHEMA_INVALID blocks[0].dependsOn[0].block"],
    ],
  ])("%s", (_, definition, expected) => {
    expect(found(definition)).toEqual(expected);
  });

  test("a suggestion comes with what was misspelt", () => {
    const [problem] = checkDefinition({ name: "w", blocks: [], inptus: {} } as Workflow);
    expect(problem).toMatchObject({ code: "KEY_UNKNOWN", suggestion: "inputs" });
  });
});

describe("references between blocks", () => {
  const ref = (id: string): NonNullable<Block["inputs"]> => ({ m: `\${blocks.${id}.outputs.x}` });

  test("to the same or a later wave, or to oneself, are refused", () => {
    const workflow = withBlocks(
      { id: "a", type: "Echo", inputs: ref("b") },
      { id: "b", type: "Echo" },
      { id: "c", type: "Echo", dependsOn: ["a"], inputs: ref("c") },
    );
    expect(found(workflow)).toEqual(["error REFERENCE_TOO_EARLY blocks[0].inputs.m", "error REFERENCE_TOO_EARLY blocks[2].inputs.m"]);
  });

  test("to an earlier wave without a dependency are a warning, to an indirect dependency they are not", () => {
    const workflow = withBlocks(
      { id: "a", type: "Echo" },
      { id: "lone", type: "Echo" },
      { id: "b", type: "Echo", dependsOn: ["a"] },
      { id: "c", type: "Echo", dependsOn: ["b"], inputs: { own: "${blocks.a.x}", other: "${blocks.lone.x}" } },
    );
    expect(found(workflow)).toEqual(["warning REFERENCE_NO_DEPENDENCY blocks[3].inputs.other"]);
  });

  test("in conditions count as well", () => {
    expect(found(withBlocks({ id: "a", type: "Echo", condition: "${blocks.b.x}" }, { id: "b", type: "Echo" }))).toEqual([
      "error REFERENCE_TOO_EARLY blocks[0].condition",
    ]);
  });
});

test("older spellings are a warning that tells the new one", () => {
  const problems = checkDefinition(
    {
      name: "w",
      inputs: { x: { type: "string" } },
      blocks: [{ id: "a", type: "Echo", inputs: { m: "${x}" } }],
      outputs: { o: "${a.echoed} ${a.outputs.f} ${blocks.a.echoed}" },
    },
    { advice: ADVICE },
  );
  expect(problems.map(({ code, message, column }) => [code, message.match(/\$\{.*\}/)?.[0], column])).toEqual([
    ["REFERENCE_DEPRECATED", "${inputs.x}", 1],
    ["REFERENCE_DEPRECATED", "${blocks.a.outputs.echoed}", 1],
    ["REFERENCE_DEPRECATED", "${blocks.a.outputs.f}", 13],
  ]);
});

test("a nested reference that is wrong is reported once", () => {
  expect(found({ name: "w", blocks: [{ id: "a", type: "Echo", inputs: { m: "${metadata.${inputs.no}}" } }] })).toEqual([
    "error REFERENCE_UNKNOWN blocks[0].inputs.m",
  ]);
});

test("keys that reach into prototypes are refused wherever they stand", () => {
  const inputs = JSON.parse('{"deep": [{"constructor": 1}]}') as NonNullable<Block["inputs"]>;
  expect(found(withBlocks({ id: "a", type: "Echo", inputs }))).toEqual(["error KEY_FORBIDDEN blocks[0].inputs.deep[0].constructor"]);
  expect(found(withBlocks({ id: "__proto__", type: "Echo" }, { id: "__internal__", type: "Echo" }))).toEqual([
    "error ID_INVALID blocks[0].id",
    "error ID_INVALID blocks[1].id",
  ]);
});

test("texts that read otherwise than they run are a warning", () => {
  expect(found(withBlocks({ id: "a", type: "Echo", inputs: { command: "safe \u202e# \u2066rm" } }))).toEqual([
    "warning TEXT_MISLEADING blocks[0].inputs.command",
  ]);
  expect(found({ ...sound, outputs: { all: "${(${blocks.a.succeeded} and not ${blocks.b.skipped})}" } })).toEqual([
    "warning TEXT_MISLEADING outputs.all",
  ]);
  expect(found({ ...sound, outputs: { all: "$${(${blocks.a.succeeded})}" } })).toEqual([]);
});

describe("with block types at hand", () => {
  const echo: BlockType = {
    type: "Echo",
    inputs: {
      jsonSchema: {
        type: "object",
        properties: { message: { type: "string" }, delay: { type: "integer", minimum: 0 } },
        required: ["message"],
        additionalProperties: false,
      },
    },
    execute: () => ({ status: "success", outputs: {} }),
  };

  test("an unknown type is refused with the nearest one", () => {
    const [problem] = checkDefinition(withBlocks({ id: "a", type: "Ecko" }), { blockTypes: new Map([["Echo", echo]]) });
    expect(problem).toMatchObject({ code: "BLOCK_TYPE_UNKNOWN", path: "blocks[0].type", suggestion: "Echo" });
  });

  test("inputs without references are compared with the schema", () => {
    const workflow: Workflow = {
      name: "w",
      inputs: { n: { type: "integer" } },
      blocks: [
        { id: "a", type: "Echo", inputs: { message: 5, delay: -1, mesage: "x" } },
        { id: "b", type: "Echo", inputs: { message: "${inputs.n}", delay: "${inputs.n}" } },
        { id: "c", type: "Echo" },
      ],
    };
    expect(found(workflow, [echo])).toEqual([
      "error BLOCK_INPUT_INVALID blocks[0].inputs.message",
      "error BLOCK_INPUT_INVALID blocks[0].inputs.delay",
      "error BLOCK_INPUT_INVALID blocks[0].inputs.mesage",
      "error BLOCK_INPUT_INVALID blocks[2].inputs.message",
    ]);
  });
});

test("a definition of 5,000 wrong blocks gives its first hundred errors", () => {
  const blocks = Array.from({ length: 5_000 }, (_, i): Block => ({
    id: `b${i}`,
    type: "Echo",
    dependsOn: [`ghost${i}`],
    inputs: { m: "${inputs.none}" },
  }));
  expect(checkDefinition(withBlocks(...blocks))).toHaveLength(100);
});
