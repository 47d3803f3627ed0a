import { describe, expect, test } from "vitest";
import { resolveInputs } from "../../../src/core/definition/inputs.ts";
import type { Value, Values } from "../../../src/core/model/value.ts";
import type { InputDeclaration, Workflow } from "../../../src/core/model/workflow.ts";

function workflow(inputs: Readonly<Record<string, InputDeclaration>>): Workflow {
  return { name: "w", inputs, blocks: [] };
}

function problems(inputs: Readonly<Record<string, InputDeclaration>>, given: Values): Readonly<Record<string, string>> {
  try {
    resolveInputs(workflow(inputs), given);
  } catch (thrown) {
    const { code, details } = thrown as { code: string; details: { problems: Readonly<Record<string, string>> } };
    expect(code).toBe("INPUT_INVALID");
    return details.problems;
  }
  return {};
}

test("what is given comes before the defaults, and what is not required may be left out", () => {
  const declared = workflow({ a: { type: "string" }, b: { type: "integer", default: 5 }, c: { type: "number", required: false } });
  expect(resolveInputs(declared, { a: "x" })).toEqual({ a: "x", b: 5, c: null });
  expect(resolveInputs(declared, { a: "x", b: 6, c: 1.5 })).toEqual({ a: "x", b: 6, c: 1.5 });
});

test.each<[InputDeclaration, Value]>([
  [{ type: "string", default: "x" }, null],
  [{ type: "string", default: "x" }, ""],
  [{ type: "integer", default: 7 }, 0],
  [{ type: "boolean", default: true }, false],
])("a default of %o gives way to %o", (declaration, value) => {
  expect(resolveInputs(workflow({ a: declaration }), { a: value })).toEqual({ a: value });
});

describe("types are taken as they are, without conversion", () => {
  test.each<[InputDeclaration["type"], Value, boolean]>([
    ["string", "5", true],
    ["string", 5, false],
    ["integer", 5, true],
    ["integer", 5.5, false],
    ["integer", "5", false],
    ["integer", true, false],
    ["number", 5.5, true],
    ["number", Number.NaN, false],
    ["boolean", true, true],
    ["boolean", "true", false],
    ["boolean", 1, false],
    ["array", [], true],
    ["array", {}, false],
    ["object", {}, true],
    ["object", [], false],
    ["object", null, false],
  ])("%s from %o: %o", (type, value, fits) => {
    expect(Object.keys(problems({ a: { type } }, { a: value }))).toEqual(fits ? [] : ["a"]);
  });
});

test("one error names every input that is missing, unknown, of another type or outside the choices", () => {
  const found = problems(
    { name: { type: "string" }, count: { type: "integer" }, size: { type: "string", enum: ["s", "m"] } },
    { count: "many", size: "xl", nme: "x" },
  );
  expect(found).toEqual({
    nme: 'is no input of this workflow. Did you mean "name"?',
    name: "is required: give a string.",
    count: 'must be an integer, not "many".',
    size: 'must be one of "s", "m", not "xl".',
  });
});

test("values that are too large, too deep or reach into prototypes are refused", () => {
  let deep: Value = 1;
  for (let i = 0; i < 300; i++) deep = [deep];
  const declared = { a: { type: "array" }, b: { type: "string" }, c: { type: "object" } } as const;
  const found = problems(declared, { a: deep, b: "x".repeat(2_000_000), c: JSON.parse('{"k":{"__proto__":1}}') as Value });
  expect(found.a).toContain("deeper than 200");
  expect(found.b).toContain("longer than 1048576");
  expect(found.c).toContain('the key "__proto__"');
});

test("names of Object.prototype are ordinary names", () => {
  expect(problems({ a: { type: "string", required: false } }, { toString: "x" } as unknown as Values)).toHaveProperty("toString");
  expect(resolveInputs(workflow(Object.fromEntries([["toString", { type: "string", default: "d" }]])), {})).toEqual({ toString: "d" });
});
