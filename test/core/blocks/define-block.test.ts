import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { type SchemaInput, type SchemaOutput, defineBlock } from "../../../src/core/blocks/define-block.ts";
import { pause, success } from "../../../src/core/ports/block.ts";
import { builtinBlocks } from "../../../src/core/blocks/builtin.ts";
import { checkJsonSchema } from "../../../src/core/model/check-json-schema.ts";

describe("defineBlock", () => {
  test("gives what it was given, frozen", () => {
    const execute = (): never => {
      throw new Error("not run");
    };
    const block = defineBlock({ type: "Mine", execute });
    expect(block).toEqual({ type: "Mine", execute });
    expect(Object.isFrozen(block)).toBe(true);
  });

  test.each(["", "my block", "__proto__", "a.b"])("refuses the name %j", (type) => {
    expect(() => defineBlock({ type, execute: () => success({}) })).toThrow(expect.objectContaining({ code: "ID_INVALID" }));
  });

  test("takes the types of a Standard Schema, both ways", () => {
    defineBlock({
      type: "PickSeat",
      inputs: z.object({ show: z.string(), row: z.number().default(1), at: z.string().transform((text) => new Date(text)) }),
      outputs: z.object({ seat: z.string(), near: z.array(z.string()).default([]) }),
      execute({ inputs }) {
        expectTypeOf(inputs).toEqualTypeOf<{ show: string; row: number; at: Date }>();
        return pause({ prompt: `Which seat for ${inputs.show}?`, metadata: { row: inputs.row } });
      },
      async resume({ inputs, response }) {
        expectTypeOf(inputs.at).toEqualTypeOf<Date>();
        expectTypeOf(response).toEqualTypeOf<unknown>();
        return success({ seat: String(response) });
      },
    });
  });

  test("takes the types of a JSON Schema, both ways", () => {
    defineBlock({
      type: "Count",
      inputs: {
        jsonSchema: {
          type: "object",
          properties: {
            text: { type: "string" },
            unit: { enum: ["words", "letters"] },
            limit: { type: ["integer", "null"], default: null },
            tags: { type: "array", items: { type: "string" } },
            place: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } }, required: ["x"] },
          },
          required: ["text", "unit"],
        },
      },
      outputs: { jsonSchema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] } },
      execute({ inputs }) {
        expectTypeOf(inputs.text).toEqualTypeOf<string>();
        expectTypeOf(inputs.unit).toEqualTypeOf<"words" | "letters">();
        expectTypeOf(inputs.limit).toEqualTypeOf<number | null>();
        expectTypeOf(inputs.tags).toEqualTypeOf<readonly string[] | undefined>();
        expectTypeOf(inputs.place).toEqualTypeOf<{ readonly x: number; readonly y?: number } | undefined>();
        return success({ count: inputs.text.length });
      },
    });
  });

  test("refuses outputs of another type when it is compiled", () => {
    defineBlock({
      type: "Wrong",
      outputs: z.object({ seat: z.string() }),
      // @ts-expect-error a number is no seat
      execute: () => success({ seat: 1 }),
    });
    defineBlock({
      type: "Wrong",
      outputs: { jsonSchema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] } },
      // @ts-expect-error the count is missing
      execute: () => success({}),
    });
    defineBlock({
      type: "Wrong",
      inputs: z.object({ show: z.string() }),
      // @ts-expect-error there is no such input
      execute: ({ inputs }) => success({ seat: inputs.seat }),
    });
    expectTypeOf<SchemaInput<typeof withDefault>>().toEqualTypeOf<{ readonly a?: string }>();
    expectTypeOf<SchemaOutput<typeof withDefault>>().toEqualTypeOf<{ readonly a: string }>();
  });

  test("without schemas leaves values unknown", () => {
    defineBlock({
      type: "Loose",
      execute({ inputs }) {
        expectTypeOf(inputs).toEqualTypeOf<{ readonly [name: string]: unknown }>();
        return success({ any: new Date(0), thing: inputs.anything });
      },
    });
  });
});

declare const withDefault: {
  readonly jsonSchema: { readonly type: "object"; readonly properties: { readonly a: { readonly type: "string"; readonly default: "x" } } };
};

describe("the built-in blocks", () => {
  test("have names that differ, the first ones of the language among them", () => {
    const names = builtinBlocks.map(({ type }) => type);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(["EchoBlock", "PopulateTemplate", "ConfirmOperation", "AskChoice", "GetInput", "ExecuteWorkflow"]),
    );
  });

  test("describe themselves by schemas that are valid", () => {
    const schemas = builtinBlocks.flatMap(({ inputs, outputs }) => [inputs, outputs]).filter((schema) => schema !== undefined);
    expect(schemas.length).toBeGreaterThan(10);
    for (const schema of schemas) expect("jsonSchema" in schema && checkJsonSchema(schema.jsonSchema)).toEqual([]);
  });
});

describe("an answer that no JSON value fits", () => {
  const ask = (answer: z.ZodType) => () =>
    defineBlock({ type: "Ask", answer, execute: () => pause({ prompt: "When?" }), resume: () => success({}) });

  test.each([
    ["a date", z.date()],
    ["a form with a date", z.object({ name: z.string(), on: z.date() })],
    ["one of two", z.union([z.bigint(), z.map(z.string(), z.string())])],
  ])("is refused where the type is defined: %s", (_, answer) => {
    expect(ask(answer)).toThrow(
      expect.objectContaining({ code: "SCHEMA_INVALID", message: expect.stringMatching(/answer of Ask wants a \w+,.*z\.coerce/) }),
    );
  });

  test.each([
    ["a date made of a text", z.coerce.date()],
    ["a text or a date", z.union([z.string(), z.date()])],
    ["a date that may be left out", z.object({ on: z.date().optional() })],
    ["a codec", z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })],
    ["what the library checks itself", z.custom<string>((value) => value === "yes")],
  ])("is not %s", (_, answer) => {
    expect(ask(answer)).not.toThrow();
  });
});
