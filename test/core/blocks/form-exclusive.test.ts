import { describe, expect, test } from "vitest";
import { createExecutor, type Value, type Values } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";
import { plainSchema } from "../../../src/core/model/question-for-models.ts";
import { readySchema } from "../../../src/core/expression/ready-schema.ts";

const HAS = ["asthma", "allergy", { value: "none", title: "None of these" }];

async function ask(field: Values) {
  const fields = [{ name: "has", type: "array", enum: HAS, exclusive: ["none"], ...field }];
  const run = await createExecutor({ store: memoryStore() }).start({
    name: "asker",
    blocks: [{ id: "form", type: "Form", inputs: { prompt: "?", fields } }],
    outputs: { has: "${blocks.form.has}" },
  });
  const result = await run.settled();
  if (result.status !== "paused") throw new Error(JSON.stringify(result.error));
  const [pause] = result.pauses;
  const answer = async (has: Value) => {
    const { error, outputs } = await run.answer(pause!.id, { has });
    return error ? (error.details!["errors"] as readonly Values[]).map(({ code, message }) => `${code}: ${message}`) : outputs!["has"];
  };
  return { schema: pause!.schema.properties!["has"]!, answer };
}

describe("a choice that is exclusive", () => {
  test("stands alone, and others stand together", async () => {
    expect(await (await ask({})).answer(["none"])).toEqual(["none"]);
    expect(await (await ask({})).answer(["asthma", "allergy"])).toEqual(["asthma", "allergy"]);
    expect(await (await ask({})).answer(["asthma", "none"])).toEqual(["exclusive: must hold either None of these or others, not both"]);
    expect(await (await ask({ other: true })).answer(["none", "Hay fever"])).toHaveLength(1);
    expect(await (await ask({ other: true })).answer(["asthma", "Hay fever"])).toEqual(["asthma", "Hay fever"]);
  });

  test("an author's message is said of both", async () => {
    const { answer } = await ask({ messages: { exclusive: "None, or some?" } });
    expect(await answer(["none", "asthma"])).toEqual(["exclusive: None, or some?"]);
  });

  test("is one keyword in a schema; those who know JSON Schema alone are given it in theirs", async () => {
    const { schema } = await ask({});
    expect(schema).toMatchObject({ type: "array", exclusive: ["none"] });
    const plain = await readySchema(plainSchema(schema));
    const problems = (value: Value) => plain.check(value).problems.length;
    expect([["none"], ["asthma", "allergy"], ["asthma", "none"]].map(problems)).toEqual([0, 0, 1]);
    expect(JSON.stringify(plainSchema(schema))).not.toContain("exclusive");
  });

  test.each([
    ["{ name: a, type: array, enum: [x, y], exclusive: [z] }", 'The field "a" has "exclusive" values that are not in "enum".'],
    ["{ name: a, enum: [x, y], exclusive: [y] }", 'The field "a" is of type string, for which "exclusive" says nothing.'],
  ])("%s is refused at load", async (field, problem) => {
    const yaml = `name: w\nblocks:\n  - { id: f, type: Form, inputs: { prompt: "?", fields: [${field}] } }\n`;
    expect((await checkWorkflow(yaml)).problems.map(({ message }) => message)).toEqual([expect.stringContaining(problem)]);
  });
});

test("a list names its groups", async () => {
  const fields = [{ name: "people", type: "array", title: "People", item: { en: "Person", fr: "Personne" }, fields: [{ name: "name" }] }];
  const run = await createExecutor({ store: memoryStore() }).start({
    name: "asker",
    blocks: [{ id: "form", type: "Form", inputs: { prompt: "?", fields } }],
  });
  const { pauses } = await run.settled();
  expect(pauses![0]!.schema.properties!["people"]).toMatchObject({ title: "People", items: { title: { fr: "Personne" } } });
});
