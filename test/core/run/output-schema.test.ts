import { expect, test } from "vitest";
import { createExecutor, type Value } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";

const VISIT = loadWorkflow(`
name: visit
blocks:
  - id: guest
    type: Form
    inputs:
      title: { en: Guest, de: Gast }
      prompt: Who comes?
      fields:
        - { name: full_name, title: { en: Full name, de: Voller Name } }
        - { name: title, enum: [{ value: mx, title: { en: Mx, de: Divers } }] }
        - { name: height, title: Height, type: number, unit: cm }
        - { name: pets, title: Pets, type: array, enum: [{ value: d, title: { en: Dog, de: Hund } }] }
        - { name: home, title: Home, type: object, fields: [{ name: town, title: { en: Town, de: Stadt } }] }
  - { id: pet, type: GetInput, depends_on: [guest], inputs: { title: Your pet, prompt: "What is it called?" } }
  - { id: food, type: AskChoice, depends_on: [pet], inputs: { question: "Which food?", choices: [{ value: m, title: { en: Meat, de: Fleisch } }] } }
outputs:
  name: \${blocks.guest.full_name}
  salutation: { value: "\${blocks.guest.outputs.title}", title: { en: Salutation, de: Anrede } }
  height: \${guest.height}
  town: \${guest.outputs.home["town"]}
  first_pet: \${blocks.guest.pets[0]}
  whole: \${blocks.guest.outputs}
  pet: \${blocks.pet.input_value}
  food: \${blocks.food.choice}
  code: \${blocks.food.value}
  text: { value: "\${blocks.guest.full_name}, \${blocks.guest.height} cm", title: Summary }
  plain: \${blocks.guest.full_name} and \${blocks.pet.input_value}
  inputs: \${blocks.guest.inputs.prompt}
`);

async function visit() {
  const executor = createExecutor({ store: memoryStore(), workflows: [VISIT] });
  const run = await executor.start("visit");
  const answers: readonly Value[] = [{ full_name: "Ada", title: "mx", height: 170, pets: ["d"], home: { town: "Oslo" } }, "Rex", "Meat"];
  let pauses = (await run.settled()).pauses;
  for (const answer of answers) pauses = (await run.answer(pauses![0]!.id, answer)).pauses;
  return { executor, run };
}

test("an output has the schema of the answer that it is, and the title that its workflow gives it", async () => {
  const { executor, run } = await visit();
  const { outputs, outputSchema } = run.getSnapshot();
  expect(outputs).toMatchObject({ name: "Ada", salutation: "mx", town: "Oslo", food: "Meat", code: "m" });
  const { properties = {} } = outputSchema!;
  expect(properties).toMatchObject({
    name: { title: { en: "Full name", de: "Voller Name" }, type: "string" },
    salutation: { title: { en: "Salutation", de: "Anrede" }, oneOf: [{ const: "mx", title: { en: "Mx", de: "Divers" } }] },
    height: { title: "Height", unit: "cm" },
    town: { title: { en: "Town", de: "Stadt" } },
    first_pet: { oneOf: [{ const: "d", title: { en: "Dog", de: "Hund" } }] },
    whole: { title: { en: "Guest", de: "Gast" }, properties: { height: { unit: "cm" } } },
    pet: { title: "Your pet" },
    food: { oneOf: [{ const: "Meat", title: { en: "Meat", de: "Fleisch" } }] },
    text: { title: "Summary" },
  });
  // A value that is made from answers has no schema of an answer, under any name.
  expect(["code", "plain", "inputs"].map((name) => properties[name])).toEqual([{}, {}, {}]);
  expect(properties["text"]).toEqual({ title: "Summary" });
  // It does not change any more, and another reading of the run has it too.
  expect(run.getSnapshot().outputSchema).toBe(outputSchema);
  await executor.close();
});

test("a run that has not completed has none", async () => {
  const executor = createExecutor({ store: memoryStore(), workflows: [VISIT] });
  const run = await executor.start("visit");
  await run.settled();
  expect(run.getSnapshot()).not.toHaveProperty("outputSchema");
  await run.cancel();
  expect(run.getSnapshot()).not.toHaveProperty("outputSchema");
  await executor.close();
});

test("a title of an output is a text, or one a language", async () => {
  const problemsWith = async (title: string): Promise<readonly (readonly unknown[])[]> => {
    const text = `name: a\nblocks: [{ id: one, type: EchoBlock, inputs: { message: hi } }]\noutputs: { out: { value: x, title: ${title} } }\n`;
    const { problems } = await checkWorkflow(text);
    return problems.map(({ code, path }) => [code, path]);
  };
  expect(await problemsWith("Result")).toEqual([]);
  expect(await problemsWith("{ en: Result, pt-BR: Resultado }")).toEqual([]);
  expect(await problemsWith("12")).toEqual([["SCHEMA_INVALID", "outputs.out.title"]]);
  expect(await problemsWith("{ en: 1 }")).toEqual([["SCHEMA_INVALID", "outputs.out.title.en"]]);
});
