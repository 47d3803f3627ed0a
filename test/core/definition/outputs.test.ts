import { describe, expect, test } from "vitest";
import { convertOutput } from "../../../src/core/expression/convert-output.ts";
import type { Value } from "../../../src/core/model/value.ts";
import type { ValueType } from "../../../src/core/model/workflow.ts";

describe("an output is converted to its type", () => {
  test.each<[Value, ValueType, Value]>([
    [42, "string", "42"],
    [true, "string", "true"],
    [{ a: [1] }, "string", '{"a":[1]}'],
    ["42", "integer", 42],
    [" 42 ", "integer", 42],
    ["5.0", "integer", 5],
    ["-1.5e2", "number", -150],
    [true, "number", 1],
    ["TRUE", "boolean", true],
    ["false", "boolean", false],
    [0, "boolean", false],
    ["[1,2]", "array", [1, 2]],
    ['{"a":1}', "object", { a: 1 }],
    [[1], "array", [1]],
    [null, "integer", null],
  ])("%o as %s is %o", (value, type, expected) => {
    expect(convertOutput(value, type, "out")).toEqual(expected);
  });
});

describe("an output that cannot be converted is an error that names it", () => {
  test.each<[Value, ValueType]>([
    ["forty", "integer"],
    ["5.5", "integer"],
    ["", "number"],
    ["0x10", "number"],
    ["1e999", "number"],
    [[1], "number"],
    ["yes", "boolean"],
    [2, "boolean"],
    ["{", "object"],
    ["[1]", "object"],
    [{}, "array"],
    ["{}", "array"],
  ])("%o as %s", (value, type) => {
    expect(() => convertOutput(value, type, "out")).toThrow(
      expect.objectContaining({ code: "OUTPUT_INVALID", message: expect.stringContaining('"out"') }),
    );
  });
});
