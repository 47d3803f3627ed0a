/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema */
import { describe, expect, test } from "vitest";
import { createExecutor, type Run, type Value, type Values } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";

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
      metadata: { kind: "form", fields: ["name", "email", "seats", "meal", "extras", "news"] },
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

  test("with choices in several languages, in scales and orders too", async () => {
    const yes = { value: 1, title: { en: "Yes", de: "Ja" } };
    const no = { value: 2, title: { en: "No", de: "Nein" }, description: { en: "Not now", de: "Nicht jetzt" } };
    const fields = [
      { name: "one", type: "integer", enum: [yes, no] },
      { name: "all", type: "object", format: "matrix", rows: [{ value: "a", title: yes.title }], enum: [yes, no] },
      { name: "order", type: "array", format: "ranking", enum: [yes, no] },
    ];
    const oneOf = [
      { const: 1, title: yes.title },
      { const: 2, title: no.title, description: no.description },
    ];
    expect((await asked({ prompt: "?", fields })).pause).toMatchObject({
      schema: { properties: { one: { oneOf }, all: { properties: { a: { title: yes.title, oneOf } } }, order: { items: { oneOf } } } },
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
      plan: "Choose one of: For a team, me.",
      "days[0]": "Choose one of: Monday, 2.",
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
    [{}, { name: "Enter an answer.", email: "Enter an answer." }],
    [{ ...ada, name: "" }, { name: "Enter an answer." }],
    [{ ...ada, seats: 5 }, { seats: "Enter 4 or less." }],
    [{ ...ada, seats: "2" }, { seats: "Enter a whole number." }],
    [{ ...ada, meal: "beef" }, { meal: "Choose one of: fish, vegetables." }],
    [{ ...ada, extras: ["tent"] }, { "extras[0]": "Choose one of: towel, map." }],
    [{ ...ada, admin: true }, { admin: "Leave this out: it is not asked for." }],
    [{ ...ada, email: "ada" }, { email: "Enter an e-mail address, such as ada@example.com." }],
    [
      { name: "", email: 1, seats: 0 },
      { name: "Enter an answer.", email: "Enter a text.", seats: "Enter 1 or more." },
    ],
    ["Ada", { "": "Enter a group of answers." }],
  ])("%j", async (response, fields) => {
    expect(await refusal(person, response)).toEqual(fields);
  });
});

test("of several things that are wrong with one field the plainest is said", async () => {
  const fields = [{ name: "day", pattern: "^2027-" }];
  expect(await refusal({ prompt: "?", fields }, { day: "" })).toEqual({ day: "Enter an answer." });
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
    [{ fields: [{ title: "A" }] }, 'fields[0] has no "name"'],
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
    [{ fields: [{ name: "a", enum: [{ value: "x", title: {} }] }] }, 'has a choice with "title": {}. Write'],
    [{ fields: [{ name: "a", enum: ["x", { value: "x", title: "An X" }] }] }, 'The field "a" offers the value "x" twice.'],
    [{ fields: [{ name: "a", enum: [{ value: "x", title: "An X" }], default: "An X" }] }, 'The default "An X"'],
    [{ schema: { properties: { a: { anyOf: [] } } } }, 'has a "anyOf" that is not what this keyword takes'],
    [{ schema: { properties: { a: { type: "integer", oneOf: [{ const: "x" }] } } } }, 'The choice "x"'],
    [{ schema: { type: "string" } }, 'has the type "object"'],
    [{ schema: { properties: { a: { $ref: "#/$defs/a" } } } }, 'refers to "#/$defs/a", which does not stand in it'],
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

describe("fields in fields", () => {
  const claim: Values = {
    prompt: "What was lost?",
    fields: [
      { heading: "You" },
      { name: "who" },
      { text: { en: "List each thing by itself.", de: "Nennen Sie alles einzeln." } },
      {
        name: "things",
        type: "array",
        title: "Thing",
        max_items: 3,
        fields: [
          { name: "what" },
          { name: "age", type: "integer", minimum: 0, required: false },
          { name: "receipts", type: "array", required: false, fields: [{ name: "shop" }] },
        ],
      },
      { name: "home", type: "object", format: "address", required: false },
    ],
  };

  test("are groups and lists of groups, in the order in which they are written", async () => {
    const { pause } = await asked(claim);
    expect(pause).toMatchObject({
      metadata: { fields: ["who", "things", "home"] },
      schema: {
        layout: [
          { heading: "You" },
          "who",
          { text: { en: "List each thing by itself.", de: "Nennen Sie alles einzeln." } },
          "things",
          "home",
        ],
        required: ["who", "things"],
        properties: {
          things: {
            type: "array",
            title: "Thing",
            minItems: 1,
            maxItems: 3,
            items: {
              type: "object",
              layout: ["what", "age", "receipts"],
              required: ["what"],
              additionalProperties: false,
              properties: { receipts: { type: "array", items: { type: "object", required: ["shop"] } } },
            },
          },
          home: { type: "object", format: "address", required: [], layout: ["street", "postal_code", "city", "country"] },
        },
      },
    });
  });

  test("are checked in each row, and what is wrong is said of its row", async () => {
    expect(await refusal(claim, { who: "Ada", things: [{ what: "boat" }, { what: "", age: -1 }, { what: "oar", wrong: 1 }] })).toEqual({
      "things[1].what": "Enter an answer.",
      "things[1].age": "Enter 0 or more.",
      "things[2].wrong": "Leave this out: it is not asked for.",
    });
    expect(await refusal(claim, { who: "Ada", things: [] })).toEqual({ things: "Enter at least 1 and at most 3 items." });
    const deep = { who: "Ada", things: [{ what: "boat", receipts: [{ shop: "A" }, {}] }] };
    expect(await refusal(claim, deep)).toEqual({ "things[0].receipts[1].shop": "Enter an answer." });
  });

  test("give their rows as they were answered, with a value for each member", async () => {
    expect(await outputs(claim, { who: "Ada", things: [{ what: "boat", receipts: [{ shop: "A" }] }], home: { city: "Hove" } })).toEqual({
      who: "Ada",
      things: [{ what: "boat", age: null, receipts: [{ shop: "A" }] }],
      home: { street: null, postal_code: null, city: "Hove", country: null },
    });
  });

  test.each<[string, Values, string]>([
    ["a group without fields", { name: "g", type: "object" }, 'The field "g" is a group. Give it "fields".'],
    ["a list with both", { name: "l", type: "array", enum: [1], fields: [{ name: "a" }] }, 'has both "fields" and "enum"'],
    ["a member given twice", { name: "g", type: "object", fields: [{ name: "a" }, { name: "a" }] }, 'The field "g.a" is given twice.'],
    ["a member that is no name", { name: "g", type: "object", fields: [{ name: "a b" }] }, 'cannot be named "a b"'],
    ["a matrix without a scale", { name: "m", type: "object", format: "matrix", rows: ["a"] }, 'Give it "rows" and, as "enum", a scale.'],
    ["a password that would be stored in the clear", { name: "pin", format: "password" }, 'Let its name end with "password"'],
    ["a format of another type", { name: "m", format: "matrix" }, 'of type string, which has no format "matrix".'],
    ["a rating without an end", { name: "r", type: "integer", format: "rating", minimum: 1 }, 'Give it a "minimum" and a "maximum"'],
    ["a ranking of nothing", { name: "r", type: "array", format: "ranking" }, 'Say in "enum" of what.'],
    ["a line without a name", { title: "Name" }, 'fields[1] has no "name".'],
    ["content that is no text", { heading: { en: 1 } }, 'has a "heading" that is no text. Write a text, or one a language'],
    ["content with rules", { heading: "You", required: true }, '"required" says nothing'],
    ["a picture of another host", { image: { src: "https://elsewhere.example/a.png", alt: "" } }, "pictures of its own page alone"],
    ["a picture of a host without a scheme", { image: { src: "//elsewhere.example/a.png", alt: "" } }, "pictures of its own page alone"],
    [
      "a wrong member of a row",
      { name: "l", type: "array", fields: [{ name: "a", type: "integer", pattern: "x" }] },
      'The field "l.a" is of type',
    ],
  ])("%s is refused, with the way out", async (_what, field, message) => {
    const executor = createExecutor({ store: memoryStore() });
    const blocks = [{ id: "f", type: "Form", inputs: { prompt: "?", fields: [{ name: "first" }, field] } }];
    await expect(executor.start({ name: "wrong", blocks })).rejects.toThrow(message);
  });
});

describe("a scale for many rows, an order, a rating", () => {
  const scale = [
    { value: 0, title: "Never" },
    { value: 1, title: "Often" },
  ];
  const survey: Values = {
    prompt: "How was it?",
    fields: [
      { name: "mood", type: "object", format: "matrix", rows: [{ value: "calm", title: "I was calm" }, "busy"], enum: scale },
      { name: "order", type: "array", format: "ranking", enum: ["sea", "river", "lake"] },
      { name: "stars", type: "integer", format: "rating", minimum: 1, maximum: 5 },
    ],
  };

  test("are plain JSON Schema for those who know nothing of them", async () => {
    const { pause } = await asked(survey);
    const choices = [
      { const: 0, title: "Never" },
      { const: 1, title: "Often" },
    ];
    expect(pause).toMatchObject({
      schema: {
        properties: {
          mood: {
            type: "object",
            format: "matrix",
            properties: { calm: { title: "I was calm", oneOf: choices }, busy: { oneOf: choices } },
            required: ["calm", "busy"],
          },
          order: {
            type: "array",
            format: "ranking",
            items: { enum: ["sea", "river", "lake"] },
            minItems: 3,
            maxItems: 3,
            uniqueItems: true,
          },
          stars: { type: "integer", format: "rating", minimum: 1, maximum: 5 },
        },
      },
    });
    const answer = { mood: { calm: 1, busy: 0 }, order: ["lake", "sea", "river"], stars: 4 };
    expect(await outputs(survey, answer)).toEqual(answer);
  });

  test("are checked: each row, each choice once", async () => {
    expect(await refusal(survey, { mood: { calm: 2 }, order: ["sea", "sea", "lake"], stars: 6 })).toEqual({
      "mood.calm": "Choose one of: Never, Often.",
      "mood.busy": "Enter an answer.",
      order: "Enter nothing twice.",
      stars: "Enter 5 or less.",
    });
  });
});

describe("a schema whose branches describe fields", () => {
  const pet = { type: "string", enum: ["dog", "cat"] };
  const isDog = { properties: { pet: { const: "dog" } }, required: ["pet"] };
  const breed = { properties: { breed: { type: "string" } } };

  test.each<[keyword: string, more: object, keys: string]>([
    ["then", { if: isDog, then: breed }, "then.properties.breed"],
    ["else", { if: isDog, else: breed }, "else.properties.breed"],
    ["then", { allOf: [{ if: isDog, then: breed }] }, "allOf[0].then.properties.breed"],
    ["anyOf", { anyOf: [isDog, breed] }, "anyOf[1].properties.breed"],
    ["dependentSchemas", { dependentSchemas: { pet: breed } }, "dependentSchemas.pet.properties.breed"],
  ])("in %s alone is refused where it stands, with what to write", async (keyword, more, keys) => {
    const inputs = { prompt: "?", schema: { type: "object", properties: { pet }, ...more } };
    const { problems } = await checkWorkflow(JSON.stringify({ name: "x", blocks: [{ id: "ask", type: "Form", inputs }] }));
    expect(problems).toMatchObject([
      {
        code: "BLOCK_INPUT_INVALID",
        path: `blocks[0].inputs.schema.${keys}`,
        message: expect.stringContaining(`Only "${keyword}" describes the field "breed", so no page would ask it.`),
      },
    ]);
  });

  test("that stand under its properties too is taken", async () => {
    const properties = { pet, breed: { type: "string", showIf: '${fields.pet} == "dog"' } };
    const schema = { type: "object", properties, if: isDog, then: { ...breed, required: ["breed"] } };
    const inputs = { prompt: "?", schema };
    const { problems } = await checkWorkflow(JSON.stringify({ name: "x", blocks: [{ id: "ask", type: "Form", inputs }] }));
    expect(problems).toEqual([]);
  });
});
