import { expect, test } from "vitest";
import { createExecutor, type Values } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";
import { plainSchema, schemaForModels } from "../../../src/core/model/question-for-models.ts";

async function ask(field: Values) {
  const run = await createExecutor({ store: memoryStore() }).start({
    name: "asker",
    blocks: [
      {
        id: "form",
        type: "Form",
        inputs: { prompt: "?", fields: [{ name: "price", type: "integer", format: "money", currency: "EUR", ...field }] },
      },
    ],
    outputs: { price: "${blocks.form.price}" },
  });
  const { pauses } = await run.settled();
  return { run, pause: pauses![0]! };
}

test("an amount is a whole number of the smallest unit, within its limits", async () => {
  const { run, pause } = await ask({ minimum: 100, maximum: 100_000 });
  expect(pause.schema.properties!["price"]).toEqual({ type: "integer", format: "money", currency: "EUR", minimum: 100, maximum: 100_000 });
  const codes = async (price: number | string) =>
    ((await run.answer(pause.id, { price })).error?.details?.["errors"] as readonly Values[] | undefined)?.map(({ code }) => code);
  expect(await codes(12.5)).toEqual(["type"]);
  expect(await codes("12,50 €")).toEqual(["type"]);
  expect(await codes(99)).toEqual(["minimum"]);
  expect(await codes(100_001)).toEqual(["maximum"]);
  expect((await run.answer(pause.id, { price: 1250 })).outputs).toEqual({ price: 1250 });
});

test("language models read what the number counts", async () => {
  const { pause } = await ask({ currency: "KWD", description: { en: "A day.", de: "Am Tag." } });
  expect(schemaForModels(pause.schema).properties!["price"]).toMatchObject({
    type: "integer",
    description: "A day. In the smallest unit of KWD: 1050 is 1.050 KWD.",
  });
  expect(plainSchema(pause.schema).properties!["price"]!.description).toBe("A day.");
});

test.each([
  ["{ name: a, type: integer, format: money }", 'The field "a" is money. Give it a "currency": EUR.'],
  ["{ name: a, type: integer, currency: EUR }", 'The field "a" has a "currency". Give it the format "money".'],
  [
    "{ name: a, type: integer, format: money, currency: EURO }",
    'The field "a" has the currency "EURO", which ISO 4217 has not. Did you mean "EUR"?',
  ],
  ["{ name: a, type: number, format: money, currency: EUR }", 'The field "a" is of type number, for which "format" says nothing.'],
  ["{ name: a, type: integer, format: money, currency: EUR, default: 1.5 }", "it must be an integer"],
])("%s is refused when it is loaded", async (field, message) => {
  const { problems } = await checkWorkflow(`name: x\nblocks:\n  - { id: ask, type: Form, inputs: { prompt: "?", fields: [${field}] } }\n`);
  expect(problems.map((problem) => problem.message).join("\n")).toContain(message);
});
