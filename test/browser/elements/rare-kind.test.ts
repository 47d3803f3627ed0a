import { expect, test } from "vitest";
import type { JsonSchema } from "wavepoint";
import { wantsRare } from "../../../src/browser/elements/rare-kind.ts";
import { localizeSchema } from "../../../src/core/model/localize-schema.ts";

const wants = (properties: { readonly [name: string]: JsonSchema }) => wantsRare(localizeSchema({ type: "object", properties }));

test("texts, numbers, days and boxes are drawn with what a page has loaded", () => {
  expect(
    wants({
      name: { type: "string" },
      until: { type: "string", format: "date", minDate: "today" },
      seats: { type: "integer", unit: "seats" },
      price: { type: "integer", currency: "EUR" },
      sails: { type: "array", items: { enum: ["jib", "main"] } },
      agreed: { const: true },
    }),
  ).toBe(false);
});

test("so are headings and texts between fields", () => {
  const schema: JsonSchema = { type: "object", properties: { name: { type: "string" } }, layout: [{ heading: "You" }, "name"] };
  expect(wantsRare(localizeSchema(schema))).toBe(false);
});

test("lists, scales, orders, files and what is signed wait for their controls", () => {
  expect(wants({ people: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } } })).toBe(true);
  expect(wants({ stars: { type: "integer", format: "rating", minimum: 1, maximum: 5 } })).toBe(true);
  expect(wants({ order: { type: "array", format: "ranking", items: { enum: ["a", "b"] } } })).toBe(true);
  expect(wants({ name: { type: "object", format: "file", capture: "signature" } })).toBe(true);
  expect(wants({ photo: { type: "object", format: "file" } })).toBe(true);
});

test("a long text counts its characters where it may have no more than a thousand", () => {
  const about = (more: JsonSchema): boolean => wants({ about: { type: "string", format: "multiline", ...more } });
  expect([about({}), about({ maxLength: 200 }), about({ maxLength: 1_000 }), about({ maxLength: 1_001 })]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(wants({ name: { type: "string", maxLength: 200 } })).toBe(false);
  // Without its control it is a long text all the same.
  expect(wantsRare(localizeSchema({ type: "string", format: "multiline", maxLength: 200 }), true)).toBe(false);
});
