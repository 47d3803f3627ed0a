import { describe, expect, test } from "vitest";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { createExecutor, type Answer, type Run, type Value, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const YAML = `
name: claim
blocks:
  - id: claim
    type: Form
    inputs:
      prompt: { en: What happened?, de: Was ist passiert? }
      fields:
        - { name: kind, enum: [theft, damage] }
        - { name: police, title: Report, show_if: "\${fields.kind} == 'theft'", messages: { required: { en: Enter the report., de: Nennen Sie die Anzeige. } } }
        - { name: officer, show_if: "\${fields.police} != 'none'", required: false, default: unknown }
        - { name: from, type: integer }
        - { name: until, type: integer, required: false }
        - name: people
          type: array
          required: false
          fields:
            - { name: role, enum: [driver, guest] }
            - { name: licence, show_if: "\${fields.role} == 'driver' and \${fields.kind} == 'damage'" }
      rules:
        - { check: "\${fields.until} >= \${fields.from}", field: until, message: { en: The end is before the start., de: Das Ende liegt vor dem Anfang. } }
outputs:
  all: \${blocks.claim.outputs}
`;

async function ask(): Promise<{ run: Run; answer: (response: Answer) => Promise<Awaited<ReturnType<Run["answer"]>>> }> {
  const run = await createExecutor({ store: memoryStore() }).start(loadWorkflow(YAML));
  const { pauses } = await run.settled();
  return { run, answer: (response) => run.answer(pauses![0]!.id, response) };
}

describe("54: a form with conditions", () => {
  test("does not ask what its conditions leave out: a value given all the same is dropped, and nothing is required", async () => {
    const { run, answer } = await ask();
    const { error, outputs } = await answer({ kind: "damage", police: "A 7", officer: "Ada", from: 1 });
    expect(error).toBeUndefined();
    expect(outputs).toEqual({ all: { kind: "damage", police: null, officer: null, from: 1, until: null, people: null } });
    const [item] = await run.answers();
    expect(item?.answer).toEqual({ kind: "damage", from: 1 });
  });

  test("asks what they show, through chains, and says all that is wrong in one round", async () => {
    const { answer } = await ask();
    const { error } = await answer({ kind: "theft", from: 5, until: 4, people: [{ role: "driver" }] });
    expect(error?.details?.["fields"]).toEqual({ police: "Enter the report.", until: "The end is before the start." });
    expect(error?.details?.["errors"]).toMatchObject([
      { instancePath: "/police", code: "required", text: { de: "Nennen Sie die Anzeige." } },
      { instancePath: "/until", code: "rule", text: { de: "Das Ende liegt vor dem Anfang." } },
    ]);
    const { outputs } = await answer({ kind: "theft", police: "B 1", from: 1 });
    expect(outputs).toMatchObject({ all: { police: "B 1", officer: "unknown" } });
  });

  test("looks at the fields of each item, and at those around them", async () => {
    const { answer } = await ask();
    const people = [{ role: "driver" }, { role: "guest", licence: "X" }];
    const { error } = await answer({ kind: "damage", from: 1, people });
    expect(error?.details?.["fields"]).toEqual({ "people[0].licence": "Enter an answer." });
    const { outputs } = await answer({ kind: "theft", police: "none", from: 1, people });
    expect(outputs).toMatchObject({
      all: {
        people: [
          { role: "driver", licence: null },
          { role: "guest", licence: null },
        ],
      },
    });
  });

  test("is the same question when the same answer comes again", async () => {
    const { answer } = await ask();
    const given = { kind: "damage", police: "dropped", from: 1 };
    await answer(given);
    expect((await answer(given)).status).toBe("success");
    expect((await answer({ kind: "damage", from: 1 })).status).toBe("success");
  });

  test("carries its prompt in all languages", async () => {
    const { run } = await ask();
    const [pause] = run.getSnapshot().pauses;
    expect(pause).toMatchObject({ prompt: "What happened?", schema: { description: { de: "Was ist passiert?" } } });
  });
});

describe("54: conditions that cannot be meant are refused at load, with their place", () => {
  const load = (fields: Value, rules?: Value) =>
    checkWorkflow(
      JSON.stringify({ name: "a", blocks: [{ id: "a", type: "Form", inputs: { prompt: "?", fields, ...(rules ? { rules } : {}) } }] }),
    );
  const named = (name: string, show_if?: string): Value => ({ name, ...(show_if === undefined ? {} : { show_if }) });

  test.each<[string, Value, Value | undefined, string, string]>([
    [
      "a cycle",
      [named("a", "${fields.b}"), named("b", "${fields.c}"), named("c", "${fields.a}")],
      undefined,
      "fields[0].show_if",
      "a → b → c → a",
    ],
    ["itself", [named("x"), named("a", "${fields.a} == 1")], undefined, "fields[1].show_if", "a → a"],
    ["a field that is not there", [named("age"), named("b", "${fields.agee}")], undefined, "fields[1].show_if", 'Did you mean "age"?'],
    ["what is no condition", [named("a", "${fields.b} =")], undefined, "fields[0].show_if", "=="],
    [
      "something else of the workflow",
      [named("a"), named("b", "${fields.a} == ${inputs.c}")],
      undefined,
      "fields[1].show_if",
      "its own fields",
    ],
    ["a rule over nothing", [named("a")], [{ check: "${fields.z}", message: "x" }], "rules[0].check", 'no field "z"'],
    ["a rule at nothing", [named("a")], [{ check: "${fields.a}", field: "z", message: "x" }], "rules[0].field", 'no field "z"'],
    [
      "a cycle through a group",
      [named("a", "${fields.g.x}"), { name: "g", type: "object", fields: [named("x", "${fields.a}")] }],
      undefined,
      "fields[0].show_if",
      "a → ",
    ],
    [
      "a mistake in the items of a list",
      [{ name: "l", type: "array", fields: [named("x"), named("y", "${fields.q}")] }],
      undefined,
      "fields[0].fields[1].show_if",
      'no field "q"',
    ],
  ])("%s", async (_, fields, rules, path, text) => {
    const { problems } = await load(fields, rules);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ path: `blocks[0].inputs.${path}` });
    expect(problems[0]!.message).toContain(text);
  });
});

test.each([
  ["fields", { fields: [{ name: "x", show_if: '${blocks.before.input_value} == "yes"' }] }],
  ["rules", { fields: [{ name: "x" }], rules: [{ check: "${fields.x} == ${blocks.before.input_value}", field: "x", message: "No." }] }],
  ["schema", { schema: { type: "object", properties: { x: { type: "string", showIf: "${blocks.before.input_value}" } } } }],
])("S2 a condition among the %s that refers to another block is refused at load: its value would become a part of it", async (_, form) => {
  const started = createExecutor({ store: memoryStore() }).start({
    name: "outer",
    blocks: [
      { id: "before", type: "GetInput", inputs: { prompt: "?" } },
      { id: "form", type: "Form", dependsOn: ["before"], inputs: { prompt: "?", ...form } },
    ],
  } as Workflow);
  await expect(started).rejects.toThrow("A condition of a form sees its own fields alone: ${fields.name}.");
});
