import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkJsonSchema, schemaNeeds } from "../../../src/core/model/check-json-schema.ts";
import { checkJson } from "../../../src/core/model/check-json.ts";
import type { ValueProblem } from "../../../src/core/model/value-problem.ts";
import type { JsonSchema } from "../../../src/core/model/json-schema.ts";

function nested(levels: number, leaf: unknown): unknown {
  return Array.from({ length: levels }).reduce((inner) => [inner], leaf);
}

describe("a problem", () => {
  test.each<[JsonSchema, unknown, Partial<ValueProblem>]>([
    [{ type: "string" }, 1, { code: "type", params: { type: "string" } }],
    [{ type: ["string", "null"] }, 1, { code: "type", params: { type: ["string", "null"] } }],
    [{ enum: ["a", 1] }, 2, { code: "enum", params: { enum: ["a", 1] } }],
    [{ oneOf: [{ const: "a", title: "An A" }, { const: 1 }] }, 2, { code: "enum", params: { enum: ["a", 1], titles: ["An A", 1] } }],
    [{ const: { a: 1 } }, 2, { code: "const", params: { const: { a: 1 } } }],
    [{ minLength: 2, maxLength: 3 }, "a", { code: "minLength", params: { limit: 2 } }],
    [{ minLength: 2, maxLength: 3 }, "abcd", { code: "maxLength", params: { limit: 3 } }],
    [{ minLength: 3 }, "😀😀", { code: "minLength", params: { limit: 3 } }],
    [{ pattern: "^a" }, "b", { code: "pattern", params: { pattern: "^a" } }],
    [{ minimum: 2 }, 1, { code: "minimum", params: { limit: 2 } }],
    [{ maximum: 2 }, 3, { code: "maximum", params: { limit: 2 } }],
    [{ minItems: 1, maxItems: 2 }, [], { code: "minItems", params: { limit: 1 } }],
    [{ minItems: 1, maxItems: 2 }, [1, 2, 3], { code: "maxItems", params: { limit: 2 } }],
    [{ uniqueItems: true }, [1, 1], { code: "uniqueItems" }],
    [{ required: ["a/b~c"] }, {}, { code: "required", instancePath: "/a~1b~0c", path: "a/b~c" }],
    [{ additionalProperties: false }, { a: 1 }, { code: "additionalProperties", instancePath: "/a", path: "a" }],
    [
      { properties: { a: { items: { properties: { b: { type: "string" } } } } } },
      { a: [{}, { b: 1 }] },
      { code: "type", instancePath: "/a/1/b", path: "a[1].b" },
    ],
    [{ items: { items: { type: "null" } } }, [[1]], { instancePath: "/0/0", path: "[0][0]" }],
  ])("with %j of %j tells its place, its keyword and its limits", (schema, value, problem) => {
    expect(checkJson(schema, value)).toEqual([expect.objectContaining({ instancePath: "", path: "", ...problem })]);
  });
});

describe("checking a value", () => {
  test.each<[JsonSchema, unknown]>([
    [{}, { anything: [1, null] }],
    [{ type: "string", minLength: 1, maxLength: 3 }, "abc"],
    [{ type: "string", maxLength: 2 }, "😀😀"],
    [{ type: "integer" }, 5.0],
    [{ type: ["string", "null"] }, null],
    [{ type: "number", minimum: 0, maximum: 1 }, 0.5],
    [{ enum: ["a", 1, null, { x: [1] }] }, { x: [1] }],
    [{ const: 0 }, 0],
    [{ oneOf: [{ const: "a", title: "An A", description: "The first." }, { const: null }] }, "a"],
    [{ oneOf: [{ const: "a", title: "An A" }, { const: null }] }, null],
    [{ oneOf: [{ const: { x: [1] }, title: "One" }] }, { x: [1] }],
    [{ items: { oneOf: [{ const: "a", title: "An A" }, { const: "b" }] } }, ["b", "a"]],
    [{ type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 2 }, [true]],
    [
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
      { a: "x", b: 1 },
    ],
    [{ type: "object", required: ["toString"] }, { toString: 1 }],
    [{ type: "string", format: "email" }, "no address"],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 }, 0.3],
    [{ multipleOf: 5 }, -15],
    [{ uniqueItems: true }, [1, "1", [1], { a: 1 }, { a: 2 }]],
    [{ uniqueItems: false }, [1, 1]],
  ])("%j takes %j", (schema, value) => {
    expect(checkJson(schema, value)).toEqual([]);
  });

  test.each<[JsonSchema, unknown, string]>([
    [{ type: "string" }, 1, " must be a string"],
    [{ type: "object" }, [], " must be an object"],
    [{ type: "object" }, new Map(), " must be an object"],
    [{ type: "object" }, new Date(0), " must be an object"],
    [{ type: ["integer", "null"] }, 1.5, " must be an integer or null"],
    [{ type: "number" }, Number.NaN, " must be a number"],
    [{ type: "number" }, Number.POSITIVE_INFINITY, " must be a number"],
    [{ type: "string", minLength: 1 }, "", " must not be empty"],
    [{ type: "string", minLength: 3 }, "😀😀", " must have at least 3 characters"],
    [{ type: "string", maxLength: 1 }, "😀😀", " must have at most 1 character"],
    [{ minimum: 0 }, -1, " must be 0 or more"],
    [{ maximum: 10 }, 11, " must be 10 or less"],
    [{ exclusiveMinimum: 0 }, 0, " must be more than 0"],
    [{ exclusiveMaximum: 10 }, 10, " must be less than 10"],
    [{ multipleOf: 0.25 }, 0.3, " must be a multiple of 0.25"],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      " must hold nothing twice",
    ],
    [{ enum: ["a", "b", 3] }, "c", " must be one of: a, b, 3"],
    [{ enum: [5] }, "5", " must be one of: 5"],
    [{ const: false }, 0, " must be false"],
    [{ oneOf: [{ const: "a", title: "An A" }, { const: "b", title: "A B" }, { const: 3 }] }, "An A", " must be one of: An A, A B, 3"],
    [{ type: "string", oneOf: [{ const: "a", title: "An A" }] }, 1, " must be a string"],
    [{ enum: ["a"], oneOf: [{ const: "a", title: "An A" }, { const: "b" }] }, "b", " must be one of: a"],
    [{ items: { oneOf: [{ const: "a", title: "An A" }] } }, ["a", "b"], "[1] must be one of: An A"],
    [{ type: "array", minItems: 2 }, [1], " must have at least 2 items"],
    [{ type: "array", maxItems: 0 }, [1], " must have at most 0 items"],
    [{ items: { items: { type: "string" } } }, [["a", 1]], "[0][1] must be a string"],
    [{ properties: { a: { properties: { b: { type: "string" } } } } }, { a: { b: 1 } }, "a.b must be a string"],
    [{ required: ["a"] }, {}, "a is required"],
    [{ required: ["toString"] }, {}, "toString is required"],
    [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, "b is not known here; known are: a"],
    [{ properties: { a: {} }, additionalProperties: false }, { constructor: 1 }, "constructor is not known here; known are: a"],
    [{ additionalProperties: false }, { a: 1 }, "a is not known here; known are: none"],
    [{ additionalProperties: { type: "number" } }, JSON.parse('{"__proto__": "x"}'), "__proto__ must be a number"],
  ])("%j refuses %j", (schema, value, problem) => {
    expect(checkJson(schema, value).map(({ path, message }) => `${path} ${message}`)).toEqual([problem]);
  });

  test("reports every field, each with its place", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "array", items: { minimum: 1 } } },
      required: ["c"],
    };
    expect(checkJson(schema, { a: 1, b: [0, 1, 0] }).map(({ path }) => path)).toEqual(["c", "a", "b[0]", "b[2]"]);
  });

  test("stops reporting where the reader stops", () => {
    expect(
      checkJson(
        { items: { type: "string" } },
        Array.from({ length: 100_000 }, () => 1),
      ),
    ).toHaveLength(50);
  });

  test("asks the caller whether a pattern matches", () => {
    const asked: string[][] = [];
    const matches = (pattern: string, text: string): boolean => asked.push([pattern, text]) > 1;
    expect(checkJson({ items: { pattern: "^a" } }, ["b", "a"], { matches })).toMatchObject([
      { path: "[0]", message: "must match the pattern ^a" },
    ]);
    expect(asked).toEqual([
      ["^a", "b"],
      ["^a", "a"],
    ]);
  });

  test("takes no text where a pattern cannot be asked about", () => {
    expect(checkJson({ pattern: "" }, "a")).toHaveLength(1);
  });

  test("ends on values that are nested too deeply, or in themselves", () => {
    const schema: { items?: JsonSchema } = {};
    schema.items = schema;
    const loop: unknown[] = [];
    loop.push(loop);
    expect(checkJson(schema, nested(150, 1))).toEqual([]);
    expect(checkJson(schema, loop)).toMatchObject([{ message: "is nested more than 200 levels deep" }]);
    expect(checkJson({ const: nested(150, 1) as never }, loop)).toHaveLength(1);
  });

  test("takes what is equal to a constant, and what is in a list of values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const copy: unknown = structuredClone(value);
        const expected = structuredClone(value) as never;
        expect(checkJson({ enum: [other as never, expected] }, copy)).toEqual([]);
      }),
    );
  });
});

describe("checking a schema", () => {
  test("takes every keyword that is documented", () => {
    const schema = {
      type: ["object", "string"],
      title: "t",
      description: "d",
      default: null,
      enum: [1],
      const: 1,
      oneOf: [{ const: 1, title: "One", description: "The first." }, { const: null }],
      minLength: 0,
      maxLength: 1,
      pattern: "a",
      format: "date",
      minimum: -1.5,
      maximum: 2,
      properties: { a: { type: "null" } },
      required: ["a"],
      additionalProperties: { type: "string" },
      items: {},
      minItems: 0,
      maxItems: 9,
    };
    expect(checkJsonSchema(schema)).toEqual([]);
  });

  test.each<[unknown, string]>([
    [[], "the schema must be an object."],
    [null, "the schema must be an object."],
    [{ $ref: "other.json" }, 'the schema has a "$ref" that is not what this keyword takes. Only references within the schema'],
    [{ unevaluatedProperties: false }, 'Write "additionalProperties"'],
    [{ allOf: [{ properties: { a: { anyOf: [{ type: "text" }] } } }] }, 'the schema.allOf.0.properties.a.anyOf.0 has a "type"'],
    [{ anyOf: [] }, 'a "anyOf" that is not what this keyword takes'],
    [{ toString: 1 }, '"toString", which is not supported'],
    [{ type: "text" }, 'the schema has a "type" that is not what this keyword takes.'],
    [{ type: "toString" }, '"type"'],
    [{ type: [] }, '"type"'],
    [{ enum: [] }, '"enum"'],
    [{ oneOf: [] }, 'the schema has a "oneOf" that is not what this keyword takes. Give it choices, each value once: { "const": …'],
    [{ oneOf: [{ const: "a" }, { type: "text" }] }, 'the schema.oneOf.1 has a "type"'],
    [{ oneOf: [{ title: "A" }] }, "Give it choices"],
    [{ oneOf: [{ const: "a", title: "" }] }, "Give it choices"],
    [{ oneOf: [{ const: "a", label: "A" }] }, 'the keyword "label"'],
    [{ oneOf: [{ const: "a", toString: "A" }] }, 'the keyword "toString"'],
    [{ oneOf: ["a"] }, "Give it choices"],
    [{ oneOf: { const: "a" } }, "Give it choices"],
    [{ items: { oneOf: [{ const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }] } }, 'the schema.items has a "oneOf"'],
    [{ minLength: -1 }, '"minLength"'],
    [{ maximum: "9" }, '"maximum"'],
    [{ required: [1] }, '"required"'],
    [{ items: [] }, '"items"'],
    [{ additionalProperties: 1 }, '"additionalProperties"'],
    [{ properties: { a: { pattern: 1 } } }, 'the schema.properties.a has a "pattern"'],
    [{ properties: { a: 1 } }, "the schema.properties.a must be an object."],
    [JSON.parse('{"properties": {"__proto__": {}}}'), 'names a property "__proto__"'],
    [{ properties: { constructor: {} } }, 'names a property "constructor"'],
    [{ items: { additionalProperties: { type: 1 } } }, "the schema.items.additionalProperties"],
    [Array.from({ length: 100 }).reduce((inner) => ({ items: inner }), {}), "nested more than 64 levels deep"],
  ])("finds what is wrong with %j", (schema, problem) => {
    expect(checkJsonSchema(schema)).toEqual([expect.stringContaining(problem)]);
  });

  test("takes a list of as many labelled choices as there are, and compares a long list with them", () => {
    const values = Array.from({ length: 5_000 }, (_, i) => `v${i}`);
    const schema: JsonSchema = { items: { oneOf: values.map((value) => ({ const: value, title: `Value ${value}` })) } };
    expect(checkJsonSchema(schema)).toEqual([]);
    expect(checkJson(schema, [...values, "Value v1"])).toMatchObject([{ path: "[5000]", code: "enum" }]);
  });

  test("lists its patterns, so that they can be compiled first", () => {
    const schema: JsonSchema = {
      pattern: "a",
      properties: { p: { pattern: "b" } },
      items: { pattern: "c" },
      additionalProperties: { pattern: "d" },
    };
    expect(schemaNeeds(schema).patterns.toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(schemaNeeds({ properties: { pattern: {} } }).patterns).toEqual([]);
  });
});
