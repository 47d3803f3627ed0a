import { describe, expect, test } from "vitest";
import type { JsonSchema } from "wavepoint";
import { readySchema } from "../../../src/core/expression/ready-schema.ts";
import { schemaOfFields } from "../../../src/core/blocks/form-fields.ts";
import { lowerSchema } from "../../../src/core/ports/lower-schema.ts";

const checked = async (schema: unknown, value: unknown) => {
  const ready = await readySchema(lowerSchema(schema as JsonSchema, "It"));
  return ready.check(value).problems.map(({ path, code }) => `${path} ${code}`.trim());
};

describe("a schema as other tools write it", () => {
  test.each<[string, unknown, unknown, readonly string[]]>([
    [
      "if, then and else",
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      { if: { properties: { a: { const: 1 } } }, then: { required: ["b"] }, else: { required: ["c"] } },
      { a: 1 },
      ["b required"],
    ],
    [
      "a list of items of draft 7",
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }], additionalItems: false },
      ["a", 1],
      ["[1] not"],
    ],
    ["dependencies of draft 7", { dependencies: { a: ["b"], c: { minProperties: 3 } } }, { a: 1, c: 1 }, ["b required", "minProperties"]],
    [
      "a member that tells the forms apart",
      { oneOf: [{ properties: { k: { const: "a" }, x: { type: "string" } } }, { properties: { k: { const: "b" } } }] },
      { k: "a", x: 1 },
      ["x type"],
    ],
    [
      "names that fit a pattern",
      { patternProperties: { "^x": { type: "string" } }, additionalProperties: false },
      { x1: 1, y: 1 },
      ["y additionalProperties", "x1 type"],
    ],
    [
      "definitions and remarks",
      { $comment: "c", "x-order": 1, definitions: { a: { type: "string" } }, properties: { a: { $ref: "#/definitions/a", title: "A" } } },
      { a: 1 },
      ["a type"],
    ],
    [
      "what holds itself",
      { $defs: { n: { properties: { next: { $ref: "#/$defs/n" }, v: { type: "string" } } } }, $ref: "#/$defs/n" },
      { next: { next: { v: 1 } } },
      ["next.next.v type"],
    ],
    ["one that fits both forms", { oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, ["oneOf"]],
    ["none of the items", { contains: { const: 1 } }, [2], ["contains"]],
  ])("is checked: %s", async (_, schema, value, problems) => {
    expect(await checked(schema, value)).toEqual(problems);
  });

  test.each<[string, unknown, unknown]>([
    [
      "a reference that goes in circles",
      { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { anyOf: [{ $ref: "#/$defs/a" }] } } },
      1,
    ],
    [
      "references that double at each step",
      {
        $ref: "#/$defs/a",
        $defs: { a: { anyOf: [{ required: ["z"] }, { properties: { n: { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] } } }] } },
      },
      Array.from({ length: 150 }).reduce<unknown>((n) => ({ n }), { n: 1 }),
    ],
    [
      "a long list in a union of lists",
      { anyOf: Array.from({ length: 200 }, (_, i) => ({ items: { anyOf: [{ const: i }, { type: "null" }] } })) },
      Array.from({ length: 5_000 }, () => "x"),
    ],
  ])("costs a bounded time: %s", async (_, schema, value) => {
    const start = performance.now();
    await checked(schema, value);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test("keeps all that a form says of its fields", () => {
    const { schema, problems } = schemaOfFields([
      { heading: "You" },
      { name: "name", autocomplete: "name", pattern: "^A", messages: { required: "Enter your name." } },
      { name: "born", format: "date", min: "1900-01-01", max: "today", default: "2000-01-01" },
      { name: "weight", type: "number", unit: { en: "kg" }, minimum: 1, show_if: '${fields.name} == "Ada"' },
      {
        name: "photo",
        type: "file",
        accept: "image/*",
        capture: "user",
        max_bytes: 9,
        show_if: '${fields.name} == "Ada"',
        messages: { max_bytes: "Too large." },
      },
      { name: "photos", type: "file", multiple: true, capture: "environment", messages: { accept: "No picture." }, accept: "image/*" },
      { name: "signed", type: "file", capture: "signature" },
      { name: "stars", type: "integer", format: "rating", minimum: 1, maximum: 5 },
      { name: "order", type: "array", format: "ranking", enum: ["a", { value: "b", title: { en: "B" } }] },
      { name: "trip", type: "object", format: "matrix", rows: ["food"], enum: [1, 2] },
      { name: "home", type: "object", format: "address", required: false },
      { name: "boats", type: "array", fields: [{ name: "id" }], rules: [{ check: "${fields.id}", message: "No." }], max_items: 3 },
    ]);
    expect(problems).toEqual([]);
    // A remark is what only other tools write.
    expect(lowerSchema({ $comment: "by hand", ...schema } as JsonSchema, "It")).toEqual(schema);
  });

  test("keeps what is said of a file beside a reference to it, and not what is in the file", () => {
    const $defs = { photo: { type: "object", format: "file", properties: { name: { type: "string" } }, required: ["name"] } };
    const beside = { capture: "user", showIf: "${fields.a}", messages: { required: "Take a photo." } };
    expect(lowerSchema({ properties: { a: {}, it: { $ref: "#/$defs/photo", ...beside } }, $defs } as unknown as JsonSchema, "It")).toEqual({
      properties: { a: {}, it: { type: "object", format: "file", ...beside } },
    });
  });

  test("that comes to too much with its references followed is refused", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { properties: { a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } } },
      ]),
    );
    expect(() => lowerSchema({ $ref: "#/$defs/d0", $defs: { ...$defs, d40: {} } }, "It")).toThrow("10000 parts");
  });
});
