import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readySchema } from "../../../src/core/expression/ready-schema.ts";
import { validateWith } from "../../../src/core/ports/block-schema.ts";

describe("a block's schema", () => {
  test("answers at once where it is a JSON Schema", async () => {
    const jsonSchema = { type: "string" } as const;
    const ready = await readySchema(jsonSchema);
    expect(validateWith({ jsonSchema }, "a", ready)).toEqual({ value: "a" });
    expect(validateWith({ jsonSchema }, 1, ready)).toEqual({
      issues: [{ path: "", instancePath: "", code: "type", params: { type: "string" }, message: "must be a string" }],
    });
  });

  test("fills in defaults of a JSON Schema without touching what was given", () => {
    const jsonSchema = { properties: { a: { default: 1 }, b: { default: 2 }, c: {} } } as const;
    const given = Object.freeze({ a: null });
    expect(validateWith({ jsonSchema }, given)).toEqual({ value: { a: null, b: 2 } });
    const whole = { a: 0, b: 0 };
    expect(validateWith({ jsonSchema }, whole)).toEqual({ value: whole });
    expect((validateWith({ jsonSchema }, whole) as { value: unknown }).value).toBe(whole);
  });

  test("checks patterns", async () => {
    const jsonSchema = { pattern: "x" };
    const ready = await readySchema(jsonSchema);
    expect(validateWith({ jsonSchema }, "xa", ready)).toEqual({ value: "xa" });
    expect(validateWith({ jsonSchema }, "a", ready)).toHaveProperty("issues");
  });

  test("answers at once where a Standard Schema does", () => {
    const schema = z.object({ a: z.coerce.number().default(7) });
    expect(validateWith(schema, { a: "5" })).toEqual({ value: { a: 5 } });
    expect(validateWith(schema, {})).toEqual({ value: { a: 7 } });
  });

  test("names the place of what a Standard Schema refuses", () => {
    const schema = z.object({ list: z.array(z.object({ a: z.string() })) });
    expect(validateWith(schema, { list: [{ a: "x" }, { a: 1 }] })).toMatchObject({ issues: [{ path: "list[1].a" }] });
    expect(validateWith(z.string(), 1)).toMatchObject({ issues: [{ path: "" }] });
  });

  test("waits only for a schema that waits itself", async () => {
    const slow = z.string().refine(async (text) => text !== "taken", "is taken");
    const result = validateWith(slow, "taken");
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toEqual({ issues: [{ path: "", instancePath: "", code: "invalid", message: "is taken" }] });
  });
});
