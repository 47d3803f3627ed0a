import { describe, expect, test } from "vitest";
import * as z from "zod";
import { validateWith } from "../../../src/core/ports/block-schema.ts";

describe("a block's schema", () => {
  test("answers at once where it is a JSON Schema", () => {
    expect(validateWith({ jsonSchema: { type: "string" } }, "a")).toEqual({ value: "a" });
    expect(validateWith({ jsonSchema: { type: "string" } }, 1)).toEqual({
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

  test("checks patterns with the matcher it is given", () => {
    const jsonSchema = { pattern: "x" };
    expect(validateWith({ jsonSchema }, "a", { matches: () => true })).toEqual({ value: "a" });
    expect(validateWith({ jsonSchema }, "a", { matches: () => false })).toHaveProperty("issues");
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
