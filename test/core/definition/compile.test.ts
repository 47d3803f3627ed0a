import { describe, expect, test } from "vitest";
import { compileValue, resolveValue } from "../../../src/core/definition/compile-value.ts";
import { compileWorkflow } from "../../../src/core/definition/compile.ts";
import type { Value } from "../../../src/core/model/value.ts";
import type { Workflow } from "../../../src/core/model/workflow.ts";
import { namesOf, refusal, scopeOf } from "../expression/scope-of.ts";
import type { World } from "../expression/scope-of.ts";

function resolve(value: Value, world: World): Value {
  return resolveValue(compileValue(value, namesOf(world)), scopeOf(world));
}

const workflow: Workflow = {
  name: "w",
  inputs: { id: { type: "string" } },
  blocks: [
    { id: "a", type: "Echo", inputs: { message: "constant" } },
    {
      id: "b",
      type: "Echo",
      inputs: { message: ["${a.echoed}", { deep: "${blocks.a.outputs.x}" }] },
      dependsOn: ["a"],
      condition: "${a.ok}",
    },
    { id: "c", type: "Echo", inputs: { message: "${blocks.${inputs.id}.outputs.x}" } },
    { id: "bad", type: "Echo", inputs: { list: [1, { text: "so: ${inputs.nothing}" }] } },
  ],
  outputs: { plain: "${blocks.b.echoed}", typed: { value: ["${id}"], type: "array" } },
};

test("references are resolved wherever they stand, and what holds none is not copied", () => {
  const constant = { list: [1, null, true], text: "$5" };
  const resolved = resolve({ constant, texts: ["${inputs.x}", "<${inputs.x}>"] }, { inputs: { x: 1 } });
  expect(resolved).toEqual({ constant, texts: [1, "<1>"] });
  expect((resolved as { constant: unknown }).constant).toBe(constant);
});

test("an escape is replaced in texts without references too", () => {
  expect(resolve(["$${a}", { k: "x $${b}" }], {})).toEqual(["${a}", { k: "x ${b}" }]);
});

test("a workflow is compiled once, its blocks when they are asked for", () => {
  const compiled = compileWorkflow(workflow);
  expect(compileWorkflow(workflow)).toBe(compiled);
  expect(compiled.plan.waves).toEqual([[0, 2, 3], [1]]);
  expect(compiled.block(1)).toBe(compiled.block(1));
  expect(() => compiled.block(3)).toThrow(
    expect.objectContaining({ code: "REFERENCE_UNKNOWN", place: { path: "blocks[3].inputs.list[1].text", column: 5 } }),
  );
});

test("a block without a condition runs, one with a condition as it says", () => {
  const blocks = [
    { id: "a", type: "Echo" },
    { id: "b", type: "Echo", condition: "${inputs.x} > 1" },
    { id: "c", type: "Echo", condition: false },
  ];
  const compiled = compileWorkflow({ name: "w", inputs: { x: { type: "integer" } }, blocks });
  const scope = scopeOf({ inputs: { x: 2 } });
  expect(blocks.map((_, i) => compiled.block(i).holds(scope))).toEqual([true, true, false]);
});

test("the path of a value that is one reference is canonical, and no other value has one", () => {
  const { pathOf } = compileWorkflow(workflow);
  expect(pathOf("${b.rows[0]}")).toEqual(["blocks", "b", "outputs", "rows", 0]);
  expect(pathOf("${id}")).toEqual(["inputs", "id"]);
  const others: readonly Value[] = ["<${id}>", "${id}${id}", "id", "$${id}", ["${id}"], 1, "${absent.x}", "${id"];
  for (const other of others) expect(pathOf(other) ?? "none", JSON.stringify(other)).toBe("none");
});

test("outputs are resolved under their names and converted to their types", () => {
  const compiled = compileWorkflow({
    name: "w",
    inputs: { x: { type: "integer" } },
    blocks: [],
    outputs: { plain: "${inputs.x}", typed: { value: "${inputs.x}", type: "string" } },
  });
  expect(compiled.outputs(scopeOf({ inputs: { x: 2 } }))).toEqual({ plain: 2, typed: "2" });
});

describe("what a value may not become", () => {
  test("longer than the limit, however the parts are put together", () => {
    const world = { inputs: { text: "x".repeat(500_000), list: Array.from({ length: 50_000 }, () => "0123456789") } };
    expect(refusal(() => resolve(["${inputs.text}", "${inputs.text}", "${inputs.text}"], world))).toBe("LIMIT_EXCEEDED");
    expect(refusal(() => resolve({ a: "${inputs.list}", b: { c: "${inputs.list}" } }, world))).toBe("LIMIT_EXCEEDED");
    expect(resolve(["${inputs.text}", "${inputs.text}"], world)).toHaveLength(2);
  });

  test("deeper than the limit, or with keys that reach into prototypes", () => {
    let deep: Value = "end";
    for (let i = 0; i < 300; i++) deep = [deep];
    expect(refusal(() => compileValue(deep, namesOf({})))).toBe("LIMIT_EXCEEDED");
    expect(refusal(() => compileValue(JSON.parse('{"a":{"__proto__":1}}') as Value, namesOf({})))).toBe("KEY_FORBIDDEN");
  });
});
