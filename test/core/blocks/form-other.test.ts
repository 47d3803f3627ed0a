import { describe, expect, test } from "vitest";
import { createExecutor, type Value, type Values } from "wavepoint";
import { choicesOf, otherOf } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";

const WOODS = [{ value: "larch", title: "Larch" }, "oak"];

async function ask(field: Values) {
  const run = await createExecutor({ store: memoryStore() }).start({
    name: "asker",
    blocks: [{ id: "form", type: "Form", inputs: { prompt: "?", fields: [{ name: "wood", enum: WOODS, other: true, ...field }] } }],
    outputs: { wood: "${blocks.form.wood}" },
  });
  const result = await run.settled();
  if (result.status !== "paused") throw new Error(JSON.stringify(result.error));
  const [pause] = result.pauses;
  const answer = async (wood?: Value) => {
    const { error, outputs } = await run.answer(pause!.id, wood === undefined ? {} : { wood });
    return error ? (error.details!["errors"] as readonly Values[]).map(({ instancePath, code }) => [instancePath, code]) : outputs!["wood"];
  };
  return { schema: pause!.schema.properties!["wood"]!, answer };
}

describe("a choice with `other`", () => {
  test("takes a choice, or any other text, which is the value then", async () => {
    expect(await (await ask({})).answer("oak")).toBe("oak");
    expect(await (await ask({})).answer("Douglas fir")).toBe("Douglas fir");
    expect(await (await ask({ required: false })).answer()).toBeNull();
  });

  test("takes no empty text, and no value of another kind", async () => {
    expect(await (await ask({})).answer("")).toEqual([["/wood", "minLength"]]);
    expect(await (await ask({ required: false })).answer("")).toEqual([["/wood", "minLength"]]);
    expect(await (await ask({})).answer(7)).toEqual([["/wood", "type"]]);
    expect(await (await ask({ max_length: 5 })).answer("Douglas fir")).toEqual([["/wood", "maxLength"]]);
  });

  test("of several, takes other texts beside the choices", async () => {
    const several = { type: "array" };
    expect(await (await ask(several)).answer(["oak", "yew", "ash"])).toEqual(["oak", "yew", "ash"]);
    expect(await (await ask(several)).answer(["oak", ""])).toEqual([["/wood/1", "minLength"]]);
  });

  test("is plain JSON Schema, and says what there is to choose from", async () => {
    const { schema } = await ask({ other: { en: "Another wood", de: "Anderes Holz" } });
    expect(schema).toEqual({
      type: "string",
      minLength: 1,
      anyOf: [
        { oneOf: [{ const: "larch", title: "Larch" }, { const: "oak" }] },
        { type: "string", title: { en: "Another wood", de: "Anderes Holz" } },
      ],
    });
    expect(choicesOf(schema).map((choice) => choice.const)).toEqual(["larch", "oak"]);
    expect(otherOf(schema)?.title).toMatchObject({ de: "Anderes Holz" });
    expect(otherOf({ enum: ["larch"] })).toBeUndefined();
    expect(otherOf({ anyOf: [{ type: "number" }, { type: "string" }] })).toBeUndefined();
  });

  test("an author's message is said of a text that is missing", async () => {
    const run = await createExecutor({ store: memoryStore() }).start({
      name: "asker",
      blocks: [
        {
          id: "form",
          type: "Form",
          inputs: { prompt: "?", fields: [{ name: "wood", enum: WOODS, other: true, messages: { required: "Which?" } }] },
        },
      ],
    });
    const { pauses } = await run.settled();
    const { error } = await run.answer(pauses![0]!.id, { wood: "" });
    expect(error?.details?.["fields"]).toEqual({ wood: "Which?" });
  });

  test.each([
    ["{ name: a, other: true }", 'The field "a" has "other" without choices. Give it "enum".'],
    ["{ name: a, type: array, format: ranking, enum: [x, y], other: true }", 'The field "a" has "other" without choices. Give it "enum".'],
    [
      "{ name: a, type: array, enum: [1, 2], other: true }",
      'The field "a" has "other", and choices that are no texts. What is written there is a text: write all values as texts.',
    ],
    [
      "{ name: a, enum: [x], other: { 7: b } }",
      'The field "a" has a "other" that is no text. Write a text, or one a language: { en: …, de: … }.',
    ],
    ["{ name: a, type: integer, enum: [1], other: true }", 'The field "a" is of type integer, for which "other" says nothing.'],
    [
      "{ name: a, enum: [x], other: true, messages: { other: b } }",
      'The field "a" has a message for "other", which a field of type string cannot break.',
    ],
  ])("%s is refused when it is loaded", async (field, message) => {
    const text = `name: x\nblocks:\n  - { id: ask, type: Form, inputs: { prompt: "?", fields: [${field}] } }\n`;
    const { problems } = await checkWorkflow(text);
    expect(problems.map((problem) => problem.message).join("\n")).toContain(message);
    expect(problems[0]).toMatchObject({ line: 3 });
  });
});
