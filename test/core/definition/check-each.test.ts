import { describe, expect, test } from "vitest";
import type { Block, Value, Workflow } from "wavepoint";
import { ADVICE } from "../../../src/core/definition/check/advice.ts";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";
import { compileWorkflow } from "../../../src/core/definition/compile.ts";
import { MAX_ITEMS } from "../../../src/core/model/limits.ts";

/** What is found in a workflow of one block, as lines of severity, code and path. */
function found(block: Partial<Block>, rest: Partial<Workflow> = {}): readonly string[] {
  const workflow = { name: "w", blocks: [{ id: "a", type: "Echo", ...block }], ...rest };
  return checkDefinition(workflow, { advice: ADVICE }).map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

const list = { list: { type: "array" } } as const;

describe("what items are made of", () => {
  test.each<[string, Value]>([
    ["a list", [1, "two", { three: 3 }]],
    ["an empty list", []],
    ["an object", { a: 1 }],
    ["a count", 5],
    ["a list of references", ["${inputs.list}", "${metadata.workflow_name}"]],
    ["a reference to a list", "${inputs.list}"],
    ["a reference to what will be known later", "${inputs.list[0].members}"],
  ])("%s will do", (_, forEach) => {
    expect(found({ forEach, inputs: { m: "${each.value}" } }, { inputs: list })).toEqual([]);
  });

  test.each<[string, Value]>([
    ["half a number", 1.5],
    ["a negative number", -1],
    ["too high a count", MAX_ITEMS + 1],
    ["true", true],
    ["null", null],
    ["a text", "one, two"],
    ["a text with a reference in it", "all of ${inputs.list}"],
    ["two references", "${inputs.list}${inputs.list}"],
    ["a reference to a text", "${inputs.name}"],
    ["too many items", Array.from({ length: MAX_ITEMS + 1 }, () => 0)],
  ])("%s will not", (_, forEach) => {
    expect(found({ forEach }, { inputs: { ...list, name: { type: "string" } } })).toEqual(["error EACH_INVALID blocks[0].forEach"]);
  });

  test("what is wrong with the reference itself is said once", () => {
    expect(found({ forEach: "${inputs.nothing}" })).toEqual(["error REFERENCE_UNKNOWN blocks[0].forEach"]);
    expect(found({ forEach: "${inputs." })).toEqual(["error EXPRESSION_SYNTAX blocks[0].forEach"]);
  });

  test("a for_each obeys the order of waves like any other text", () => {
    const workflow: Workflow = {
      name: "w",
      blocks: [
        { id: "a", type: "Echo" },
        { id: "b", type: "Echo", forEach: "${blocks.a.outputs.list}" },
      ],
    };
    expect(checkDefinition(workflow)).toMatchObject([{ code: "REFERENCE_TOO_EARLY", path: "blocks[1].forEach" }]);
  });

  test("items that run at the same time need a for_each", () => {
    expect(found({ maxParallel: 2 })).toEqual(["error SCHEMA_INVALID blocks[0].maxParallel"]);
    expect(found({ maxParallel: 2, forEach: [1] })).toEqual([]);
  });
});

describe("where an item can be referred to", () => {
  const item = "${each.value.name} ${each.key} ${each.index} ${each.count}";

  test("in inputs and in the paths of outputs of a block with for_each", () => {
    expect(found({ forEach: [1], inputs: { deep: [{ m: item }] }, outputs: { log: { path: "${each.key}.txt" } } })).toEqual([]);
  });

  test.each<[string, Partial<Block>, string]>([
    ["a block without for_each", { inputs: { m: item } }, "inputs.m"],
    ["a path of such a block", { outputs: { log: { path: "${each.key}" } } }, "outputs.log.path"],
    ["a condition", { forEach: [1], condition: "${each.value} == 1" }, "condition"],
    ["the for_each itself", { forEach: ["${each.value}"] }, "forEach[0]"],
  ])("not in %s", (_, block, path) => {
    const lines = found(block);
    expect(new Set(lines)).toEqual(new Set([`error REFERENCE_UNKNOWN blocks[0].${path}`]));
  });

  test("not in outputs of the workflow, and the message says where it may stand", () => {
    const [problem] = checkDefinition({ name: "w", blocks: [], outputs: { o: "${each.value}" } });
    expect(problem).toMatchObject({ code: "REFERENCE_UNKNOWN", path: "outputs.o" });
    expect(problem!.message).toContain("for_each");
  });

  test("a field that an item does not have is refused with the one that was meant", () => {
    const [problem] = checkDefinition({ name: "w", blocks: [{ id: "a", type: "Echo", forEach: [1], inputs: { m: "${each.indx}" } }] });
    expect(problem).toMatchObject({ code: "REFERENCE_UNKNOWN", suggestion: "index" });
  });

  test("inputs of a block with for_each cannot be referred to: there are others for each item", () => {
    const blocks = [{ id: "a", type: "Echo", forEach: [1], inputs: { m: "x" } }];
    expect(checkDefinition({ name: "w", blocks, outputs: { o: "${blocks.a.inputs.m} ${blocks.a.outputs.results[0].m}" } })).toMatchObject([
      { code: "REFERENCE_UNKNOWN", path: "outputs.o", column: 1 },
    ]);
  });

  test("the whole item is no value", () => {
    expect(found({ forEach: [1], inputs: { m: "${each}" } })).toEqual(["error REFERENCE_FORBIDDEN blocks[0].inputs.m"]);
  });
});

describe("an input that is called each", () => {
  const inputs = { each: { type: "object" } } as const;

  test("is meant by the older spelling where there is no item", () => {
    expect(found({ inputs: { m: "${each.value}" } }, { inputs })).toEqual(["warning REFERENCE_DEPRECATED blocks[0].inputs.m"]);
  });

  test("is not meant by it where there is one: a namespace comes before any name", () => {
    expect(found({ forEach: [1], inputs: { m: "${each.value} ${inputs.each.value}" } }, { inputs })).toEqual([]);
    expect(found({ forEach: [1], inputs: { m: "${each}" } }, { inputs })).toEqual(["error REFERENCE_FORBIDDEN blocks[0].inputs.m"]);
  });
});

describe("a compiled block", () => {
  const lookup = (path: readonly (string | number)[]): unknown => path.join("/");

  test("gives the items it is to run for, references resolved; nothing where it has no for_each", () => {
    const { block } = compileWorkflow({
      name: "w",
      inputs: list,
      blocks: [
        { id: "a", type: "Echo", forEach: ["x", "${inputs.list}"] },
        { id: "b", type: "Echo" },
      ],
    });
    expect(block(0).each({ lookup })).toEqual(["x", "inputs/list"]);
    expect(block(1).each({ lookup })).toBeUndefined();
  });

  test("looks the item up in the scope its inputs are resolved in", () => {
    const { block } = compileWorkflow({
      name: "w",
      blocks: [{ id: "a", type: "Echo", forEach: [1], inputs: { m: "${each.value.name}", n: "at ${each.index}" } }],
    });
    expect(block(0).inputs({ lookup })).toEqual({ m: "each/value/name", n: "at each/index" });
    expect(block(0).parts("n", { lookup })).toEqual(["at ", { value: "each/index" }]);
  });
});
