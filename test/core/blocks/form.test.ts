import { describe, expect, test } from "vitest";
import { createExecutor, type Run, type Value, type Values } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

async function asked(inputs: Values): Promise<{ readonly run: Run; readonly id: string; readonly pause: object }> {
  const executor = createExecutor({ store: memoryStore() });
  const run = await executor.start({
    name: "asker",
    inputs: { colours: { type: "array", default: ["red", "blue"] }, word: { type: "string", default: "(" } },
    blocks: [{ id: "form", type: "Form", inputs }],
    outputs: { all: "${blocks.form.outputs}" },
  });
  const result = await run.settled();
  if (result.status !== "paused") throw new Error(`It did not ask: ${JSON.stringify(result.error)}`);
  const { prompt, schema, metadata, id } = result.pauses[0]!;
  return { run, id, pause: { prompt, schema, metadata } };
}

async function outputs(inputs: Values, response: Value): Promise<Value | undefined> {
  const { run, id } = await asked(inputs);
  const result = await run.answer(id, response);
  if (result.status !== "success") throw new Error(JSON.stringify(result.error));
  return result.outputs["all"];
}

async function refusal(inputs: Values, response: Value): Promise<unknown> {
  const { run, id } = await asked(inputs);
  const result = await run.answer(id, response);
  expect(run.getSnapshot().pauses.map((pause) => pause.id)).toEqual([id]);
  return result.error?.code === "RESPONSE_INVALID" ? (result.error.details?.["fields"] ?? result.error.message) : result;
}

const person: Values = {
  prompt: "Who are you?",
  title: "About you",
  fields: [
    { name: "name", title: "Your name", max_length: 20 },
    { name: "email", format: "email", description: "For the ticket" },
    { name: "seats", type: "integer", minimum: 1, maximum: 4, default: 1 },
    { name: "meal", enum: ["fish", "vegetables"], required: false },
    { name: "extras", type: "array", enum: ["towel", "map"], max_items: 2, required: false },
    { name: "news", type: "boolean", default: false },
  ],
};
const ada = { name: "Ada", email: "ada@example.com" };

describe("a form asks", () => {
  test("with its fields as a schema, in their order", async () => {
    expect((await asked(person)).pause).toEqual({
      prompt: "Who are you?",
      schema: {
        type: "object",
        properties: {
          name: { type: "string", title: "Your name", minLength: 1, maxLength: 20 },
          email: { type: "string", description: "For the ticket", minLength: 1, format: "email" },
          seats: { type: "integer", default: 1, minimum: 1, maximum: 4 },
          meal: { type: "string", enum: ["fish", "vegetables"] },
          extras: { type: "array", items: { enum: ["towel", "map"] }, maxItems: 2 },
          news: { type: "boolean", default: false },
        },
        required: ["name", "email"],
        additionalProperties: false,
      },
      metadata: { kind: "form", title: "About you", fields: ["name", "email", "seats", "meal", "extras", "news"] },
    });
  });

  test("with a schema as it is written, required fields first, and closed unless it says otherwise", async () => {
    const schema = { properties: { zip: { type: "string" }, city: { type: "string" }, area: {} }, required: ["zip"] };
    expect((await asked({ prompt: "?", schema })).pause).toEqual({
      prompt: "?",
      schema: { ...schema, type: "object", additionalProperties: false },
      metadata: { kind: "form", fields: ["zip", "area", "city"] },
    });
    expect((await asked({ prompt: "?", schema: { ...schema, additionalProperties: true } })).pause).toMatchObject({
      schema: { additionalProperties: true },
    });
  });

  test("with choices that people read otherwise", async () => {
    const team = { value: "team", title: "For a team", description: "Up to 9 people." };
    const fields = [
      { name: "plan", enum: [team, { value: "me", title: "For me" }, "other"], default: "me" },
      { name: "days", type: "array", enum: [{ value: 1, title: "Monday" }, { value: 2 }], max_items: 1 },
      { name: "plain", enum: [{ value: "a" }, "b"] },
    ];
    expect((await asked({ prompt: "?", fields })).pause).toMatchObject({
      schema: {
        properties: {
          plan: {
            type: "string",
            default: "me",
            oneOf: [
              { const: "team", title: "For a team", description: "Up to 9 people." },
              { const: "me", title: "For me" },
              { const: "other" },
            ],
          },
          days: { type: "array", items: { oneOf: [{ const: 1, title: "Monday" }, { const: 2 }] }, maxItems: 1 },
          plain: { type: "string", enum: ["a", "b"] },
        },
      },
    });
  });

  test("with fields that only the run brings", async () => {
    const fields = [{ name: "colour", enum: "${inputs.colours}" }];
    expect((await asked({ prompt: "?", fields })).pause).toMatchObject({
      schema: { properties: { colour: { type: "string", enum: ["red", "blue"] } } },
    });
  });
});

describe("the outputs of a form", () => {
  test("are the values under their names, with defaults and null for what was left out", async () => {
    expect(await outputs(person, ada)).toEqual({ ...ada, seats: 1, meal: null, extras: null, news: false });
    const all = { ...ada, seats: 4, meal: "fish", extras: ["map"], news: true };
    expect(await outputs(person, all)).toEqual(all);
  });

  test("are the values of choices, not what people read", async () => {
    const fields = [
      { name: "plan", enum: [{ value: "team", title: "For a team" }, "me"] },
      { name: "days", type: "array", enum: [{ value: 1, title: "Monday" }, 2] },
    ];
    expect(await outputs({ prompt: "?", fields }, { plan: "team", days: [2, 1] })).toEqual({ plan: "team", days: [2, 1] });
    expect(await refusal({ prompt: "?", fields }, { plan: "For a team", days: ["Monday"] })).toEqual({
      plan: "must be one of: For a team, me",
      "days[0]": "must be one of: Monday, 2",
    });
  });

  test("hold what the form does not name only where its schema lets it in", async () => {
    const schema = { properties: { zip: { type: "string" } }, additionalProperties: { type: "integer" } };
    expect(await outputs({ prompt: "?", schema }, { more: 1 })).toEqual({ zip: null, more: 1 });
  });

  test("are reached by the name of the field", async () => {
    const executor = createExecutor({ store: memoryStore() });
    const run = await executor.start({
      name: "greeter",
      blocks: [{ id: "who", type: "Form", inputs: { prompt: "?", fields: [{ name: "name" }, { name: "succeeded", type: "integer" }] } }],
      outputs: { text: "Hello, ${blocks.who.name}", field: "${blocks.who.outputs.succeeded}" },
    });
    await run.settled();
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, { name: "Ada", succeeded: 7 });
    expect(result.outputs).toEqual({ text: "Hello, Ada", field: 7 });
  });
});

describe("a wrong answer leaves the form open and says of each field what was expected", () => {
  test.each<[Value, unknown]>([
    [{}, { name: "is required", email: "is required" }],
    [{ ...ada, name: "" }, { name: "must not be empty" }],
    [{ ...ada, seats: 5 }, { seats: "must be 4 or less" }],
    [{ ...ada, seats: "2" }, { seats: "must be an integer" }],
    [{ ...ada, meal: "beef" }, { meal: "must be one of: fish, vegetables" }],
    [{ ...ada, extras: ["tent"] }, { "extras[0]": "must be one of: towel, map" }],
    [{ ...ada, admin: true }, { admin: "is not known here; known are: name, email, seats, meal, extras, news" }],
    [{ ...ada, email: "ada" }, { email: "must be an e-mail address, such as ada@example.com" }],
    [
      { name: "", email: 1, seats: 0 },
      { name: "must not be empty", email: "must be a string", seats: "must be 1 or more" },
    ],
    ["Ada", { "": "must be an object" }],
  ])("%j", async (response, fields) => {
    expect(await refusal(person, response)).toEqual(fields);
  });
});

test("of several things that are wrong with one field the plainest is said", async () => {
  const fields = [{ name: "day", pattern: "^2027-" }];
  expect(await refusal({ prompt: "?", fields }, { day: "" })).toEqual({ day: "must not be empty" });
});

describe("a format", () => {
  const schema = (format: string) => ({ properties: { it: { type: "string", format }, list: { items: { format } } } });

  test.each([
    ["email", "a.b+c@mail.example.co.uk"],
    ["email", "ü@exämple.de"],
    ["uri", "https://example.com/a?b#c"],
    ["uri", "mailto:ada@example.com"],
    ["date", "2024-02-29"],
    ["date-time", "2026-11-21T14:30"],
    ["date-time", "2026-11-21T23:59:59.123Z"],
    ["date-time", "2026-11-21T14:30:00+01:00"],
    ["colour", "anything"],
  ])("%s takes %s", async (format, it) => {
    expect(await outputs({ prompt: "?", schema: schema(format) }, { it })).toEqual({ it, list: null });
  });

  test.each([
    ["email", "ada@"],
    ["email", "a b@example.com"],
    ["email", "ada@example..com"],
    ["email", "ada@example.com\n"],
    ["uri", "example.com"],
    ["uri", "https://exa mple.com"],
    ["date", "2026-02-29"],
    ["date", "2100-02-29"],
    ["date", "2026-13-01"],
    ["date", "2026-1-1"],
    ["date", "21.11.2026"],
    ["date-time", "2026-11-21"],
    ["date-time", "2026-11-21T24:00"],
    ["date-time", "2026-11-21 14:30"],
  ])("%s refuses %j, in lists too", async (format, it) => {
    expect(Object.keys((await refusal({ prompt: "?", schema: schema(format) }, { it, list: [it] })) as object)).toEqual(["it", "list[0]"]);
  });
});

describe("a form is refused at load", () => {
  test.each<[Values, string]>([
    [{}, 'either "fields" or a "schema"'],
    [{ fields: [{ name: "a" }], schema: {} }, 'either "fields" or a "schema"'],
    [{ fields: "${inputs.colours}", schema: {} }, 'either "fields" or a "schema"'],
    [{ fields: [] }, "at least 1 item"],
    [{ schema: {} }, "1 to 100 fields; this one has 0"],
    [
      { fields: [{ name: "b", type: "array", enum: Array.from({ length: 1_001 }, (_, i) => i) }] },
      'The field "b" offers 1001 choices; 1000 are allowed (MAX_CHOICES). Ask in steps',
    ],
    [
      { fields: ["a", "b", "c"].map((name) => ({ name, enum: Array.from({ length: 700 }, (_, i) => `${i}`) })) },
      "at most 2000 fields and choices in all (MAX_FORM_PARTS); this one has 2104",
    ],
    [{ fields: Array.from({ length: 101 }, (_, i) => ({ name: `f${i}` })) }, "1 to 100 fields; this one has 101"],
    [{ fields: [{ title: "A" }] }, "fields[0].name"],
    [{ fields: [{ name: "a b" }] }, 'A field cannot be named "a b"'],
    [{ fields: [{ name: "constructor" }] }, "constructor"],
    [{ fields: [{ name: "a" }, { name: "a" }] }, '"a" is given twice'],
    [{ fields: [{ name: "a", type: "date" }] }, "must be one of: string, integer"],
    [{ fields: [{ name: "a", label: "A" }] }, "label"],
    [{ fields: [{ name: "a", type: "integer", pattern: "x" }] }, 'of type integer, for which "pattern" says nothing'],
    [{ fields: [{ name: "a", format: "phone" }] }, "must be one of: email"],
    [{ fields: [{ name: "a", default: 1 }] }, 'The default 1 of the field "a" does not fit the field: it must be a string.'],
    [{ fields: [{ name: "a", default: "b", format: "email" }] }, 'The default "b"'],
    [{ fields: [{ name: "a", type: "integer", enum: ["x"] }] }, 'The choice "x"'],
    [{ fields: [{ name: "a", type: "integer", enum: [{ value: "x", title: "An X" }] }] }, 'The choice "x"'],
    [{ fields: [{ name: "a", enum: [{ title: "An X" }] }] }, 'The field "a" has a choice without its value: {"title":"An X"}. Write'],
    [{ fields: [{ name: "a", enum: [{ value: "x", label: "An X" }] }] }, 'The field "a" has a choice with "label": "An X". Write'],
    [{ fields: [{ name: "a", enum: [{ value: "x", title: 1 }] }] }, 'The field "a" has a choice with "title": 1. Write'],
    [{ fields: [{ name: "a", type: "array", enum: [{ value: "x", title: "" }] }] }, 'has a choice with "title": "". Write'],
    [{ fields: [{ name: "a", enum: ["x", { value: "x", title: "An X" }] }] }, 'The field "a" offers the value "x" twice.'],
    [{ fields: [{ name: "a", enum: [{ value: "x", title: "An X" }], default: "An X" }] }, 'The default "An X"'],
    [
      { schema: { properties: { a: { oneOf: [{ type: "string" }] } } } },
      'has a "oneOf" that is not what this keyword takes. Give it choices',
    ],
    [{ schema: { properties: { a: { type: "integer", oneOf: [{ const: "x" }] } } } }, 'The choice "x"'],
    [{ schema: { type: "string" } }, 'has the type "object"'],
    [{ schema: { properties: { a: { $ref: "#" } } } }, 'keyword "$ref"'],
    [{ schema: { properties: { a: {} }, required: ["b"] } }, "requires b"],
  ])("%j", async (inputs, message) => {
    await expect(asked({ prompt: "?", ...inputs })).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  test.each([[{ fields: [{ name: "a", pattern: "(?=x)" }] }], [{ schema: { properties: { a: { items: { pattern: "(" } } } } }]])(
    "%j, for its pattern",
    async (inputs) => {
      await expect(asked({ prompt: "?", ...inputs })).rejects.toMatchObject({ code: "PATTERN_INVALID" });
    },
  );
});

test("a form whose pattern only the run brings fails with it", async () => {
  await expect(asked({ prompt: "?", fields: [{ name: "a", pattern: "${inputs.word}" }] })).rejects.toThrow("PATTERN_INVALID");
});

describe("choices from data", () => {
  const boats = [
    { id: 7, name: "Kestrel" },
    { id: 9, name: "Petrel" },
  ];
  const form = (from: Value, more: Values = {}): Values => ({
    prompt: "Which?",
    fields: [{ name: "boat", type: "integer", enum: { from, value: "id", title: "name" }, ...more }],
  });

  test("people see titles, and the answer holds the values", async () => {
    const { pause } = await asked(form(boats));
    expect(pause).toMatchObject({
      schema: {
        properties: {
          boat: {
            oneOf: [
              { const: 7, title: "Kestrel" },
              { const: 9, title: "Petrel" },
            ],
          },
        },
      },
    });
    expect(await outputs(form(boats), { boat: 9 })).toEqual({ boat: 9 });
    expect(await outputs(form(boats, { type: "array" }), { boat: [9, 7] })).toEqual({ boat: [9, 7] });
    expect(
      await outputs({ prompt: "Which?", fields: [{ name: "colour", enum: { from: "${inputs.colours}" } }] }, { colour: "red" }),
    ).toEqual({
      colour: "red",
    });
  });

  test.each<[string, Values]>([
    ["nothing to choose from", form([])],
    ["a value twice", form([...boats, { id: 7, name: "Gull" }])],
    ["a member that is not there", form([{ id: 7 }])],
    ["a value of another type", form([{ id: "seven", name: "Kestrel" }])],
  ])("%s is found at load", async (_, inputs) => {
    await expect(asked(inputs)).rejects.toMatchObject({ code: expect.stringMatching(/BLOCK_INPUT_INVALID|REFERENCE_UNKNOWN/) as string });
  });
});
