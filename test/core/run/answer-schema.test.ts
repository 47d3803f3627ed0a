import * as z from "zod";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  pause,
  success,
  type BlockType,
  type JsonSchema,
  type Pause,
  type Run,
  type StandardSchema,
  type Store,
  type Value,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { conclude, leftOpen } from "../../support/left-open.ts";

z.config({ jitless: true });

const tree: z.ZodType = z.lazy(() => z.object({ inside: z.array(tree) }));

async function begin(type: BlockType, store: Store = memoryStore()): Promise<Run> {
  const executor = createExecutor({ store, blocks: [type] });
  const run = await executor.start({
    name: "flow",
    blocks: [{ id: "ask", type: type.type }],
    outputs: { all: "${blocks.ask.outputs}" },
  });
  await run.settled();
  return run as Run;
}

function open(run: Run): Pause {
  return run.getSnapshot().pauses[0]!;
}

/** A block that asks with a schema and gives what it hears. */
function asking(schema: JsonSchema | StandardSchema): BlockType {
  return defineBlock({
    type: "Ask",
    execute: () => pause({ prompt: "?", schema }),
    resume: ({ response }) => success({ received: response }),
  });
}

async function askedWith(schema: StandardSchema): Promise<JsonSchema> {
  return open(await begin(asking(schema))).schema;
}

const guest = z.object({
  name: z.string().trim().min(1).max(60),
  email: z.email(),
  seats: z.coerce.number<number>().int().min(1).max(4).default(1),
});

const invite = defineBlock({
  type: "Invite",
  answer: guest.refine(({ name, email }) => name === "" || !email.startsWith(name), {
    path: ["email"],
    message: "must not begin with the name",
  }),
  execute: () => pause({ prompt: "Who comes?" }),
  resume({ response }) {
    expectTypeOf(response).toEqualTypeOf<{ name: string; email: string; seats: number }>();
    return success({ guest: response });
  },
});

describe("a schema of a library", () => {
  test.each<[string, StandardSchema, JsonSchema]>([
    ["a text", z.string().min(1), { type: "string", minLength: 1 }],
    ["an address, by its format alone", z.email(), { type: "string", format: "email" }],
    ["a day", z.iso.date(), { type: "string", format: "date" }],
    ["a pattern", z.string().regex(/^a+$/), { type: "string", pattern: "^a+$" }],
    ["a whole number, without the limits of the platform", z.int(), { type: "integer" }],
    [
      "a number between limits",
      z.number().positive().lt(10).multipleOf(0.5),
      { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 0.5 },
    ],
    ["a choice", z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    ["one of several values", z.union([z.literal("x"), z.literal(3)]), { enum: ["x", 3] }],
    [
      "one of several values with labels",
      z.union([z.literal("team").meta({ title: "For a team", description: "Up to 9." }), z.literal("me")]).meta({ title: "Plan" }),
      { title: "Plan", oneOf: [{ const: "team", title: "For a team", description: "Up to 9." }, { const: "me" }] },
    ],
    [
      "one of several values with labels, or nothing",
      z.union([z.literal(1).meta({ title: "One" }), z.enum(["x", "y"])]).nullable(),
      { oneOf: [{ const: 1, title: "One" }, { const: "x" }, { const: "y" }, { const: null }] },
    ],
    [
      "several of several values with labels",
      z.array(z.union([z.literal("a").meta({ title: "An A" }), z.literal("b").meta({ title: "A B" }), z.literal("a")])),
      {
        type: "array",
        items: {
          oneOf: [
            { const: "a", title: "An A" },
            { const: "b", title: "A B" },
          ],
        },
      },
    ],
    [
      "a value with a title of its own, or nothing",
      z.literal("a").meta({ title: "Plan" }).nullable(),
      { title: "Plan", enum: ["a", null] },
    ],
    ["a choice or nothing", z.enum(["a"]).nullable(), { enum: ["a", null] }],
    ["a value or nothing", z.int().min(0).nullable(), { type: ["integer", "null"], minimum: 0 }],
    ["one of several types", z.union([z.string(), z.boolean()]), { type: ["string", "boolean"] }],
    ["a list", z.array(z.string()).min(1).max(3), { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 }],
    ["names and values", z.record(z.string(), z.number()), { type: "object", additionalProperties: { type: "number" } }],
    [
      "an object",
      z.object({ a: z.string().meta({ title: "A", description: "An a.", format: "multiline" }), b: z.boolean().optional() }),
      {
        type: "object",
        properties: { a: { type: "string", title: "A", description: "An a.", format: "multiline" }, b: { type: "boolean" } },
        required: ["a"],
      },
    ],
    ["no more than its own", z.strictObject({}), { type: "object", properties: {}, additionalProperties: false }],
    [
      "a part that is used twice",
      z.object({ a: z.string().meta({ id: "part" }), b: z.string().meta({ id: "part-too" }) }),
      { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a", "b"] },
    ],
    [
      "a file",
      z
        .object({ name: z.string(), type: z.string(), size: z.number(), bytes: z.instanceof(Uint8Array) })
        .meta({ format: "file", contentMediaType: "image/*", maxLength: 1_000 }),
      { type: "object", format: "file", contentMediaType: "image/*", maxLength: 1_000 },
    ],
  ])("is asked as JSON Schema: %s", async (_, schema, expected) => {
    expect(await askedWith(schema)).toEqual(expected);
  });

  test.each<[string, StandardSchema, Value, Value]>([
    ["a pair", z.tuple([z.string(), z.number()]), ["a", 1], ["a", "b"]],
    ["one of several objects", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), { b: "x" }, { c: "x" }],
    [
      "one of several kinds of objects",
      z.discriminatedUnion("kind", [z.object({ kind: z.literal("a"), a: z.string() }), z.object({ kind: z.literal("b") })]),
      { kind: "b" },
      { kind: "a" },
    ],
    ["what holds itself", tree, { inside: [{ inside: [] }] }, { inside: [{}] }],
  ])("in words that only some schemas need, is checked: %s", async (_, schema, fits, other) => {
    const run = await begin(asking(schema));
    expect((await run.answer(open(run).id, other)).error).toMatchObject({ code: "RESPONSE_INVALID" });
    expect((await run.answer(open(run).id, fits)).status).toBe("success");
  });

  test("that cannot be told is refused", async () => {
    const own: StandardSchema = { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } };
    const run = await begin(asking(own));
    expect(run.getSnapshot().error).toMatchObject({ code: "SCHEMA_INVALID" });
    expect(run.getSnapshot().error!.message).toContain("Standard JSON Schema");
  });

  test("with a pattern that cannot be matched in linear time is refused before it is asked", async () => {
    expect((await begin(asking({ type: "string", pattern: "(?=a)" }))).getSnapshot().error).toMatchObject({ code: "PATTERN_INVALID" });
  });

  test("given with one question counts as far as JSON Schema says it", async () => {
    const run = await begin(asking(z.string().min(3).trim()));
    expect(await run.answer(open(run).id, "ab")).toMatchObject({
      status: "failure",
      error: { details: { errors: [{ code: "minLength" }] } },
    });
    expect(await run.answer(open(run).id, "abc ")).toMatchObject({ outputs: { all: { received: "abc " } } });
  });
});

describe("the answer of a block type", () => {
  test("is what its questions ask", async () => {
    expect(open(await begin(invite)).schema).toMatchObject({ type: "object", required: ["name", "email"] });
  });

  test("makes what the block is given of what is recorded as it came", async () => {
    const store = memoryStore();
    const run = await begin(invite, store);
    const given = { name: "  Ada ", email: "a@example.com" };
    expect(await run.answer(open(run).id, given)).toMatchObject({
      outputs: { all: { guest: { name: "Ada", email: "a@example.com", seats: 1 } } },
    });
    expect(await run.answers()).toMatchObject([{ answer: given }]);
  });

  test.each<[string, Value, object]>([
    ["what JSON Schema can say", { name: "", email: "a@example.com" }, { instancePath: "/name", code: "minLength" }],
    ["a format", { name: "Ada", email: "ada" }, { instancePath: "/email", code: "format", params: { format: "email" } }],
    [
      "what only the library can say",
      { name: "Ada", email: "Ada@b.org" },
      { instancePath: "/email", code: "invalid", message: "must not begin with the name" },
    ],
    ["what is only known after a conversion", { name: "   ", email: "a@b.org" }, { instancePath: "/name", code: "invalid" }],
  ])("refuses by field, and changes nothing: %s", async (_, response, error) => {
    const run = await begin(invite);
    const { id } = open(run);
    const refused = await run.answer(id, response);
    expect(refused).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID", details: { errors: [error] } } });
    expect(open(run).id).toBe(id);
    expect((await run.answer(id, { name: "Ada", email: "a@b.org" })).status).toBe("success");
  });

  test("holds in another process too", async () => {
    const store = memoryStore();
    const { id } = await begin(invite, store);
    const run = await createExecutor({ store, blocks: [invite] }).open(id);
    const pauseId = open(run as Run).id;
    expect(await run.answer(pauseId, { name: "Ada", email: "Ada@b.org" })).toMatchObject({ status: "failure" });
    expect(await run.answer(pauseId, { name: "Ada ", email: "a@b.org" })).toMatchObject({
      outputs: { all: { guest: { name: "Ada", email: "a@b.org", seats: 1 } } },
    });
  });

  test("that does not take it any more once it is used leaves the question open", async () => {
    let looks = 0;
    const moody = defineBlock({
      type: "Moody",
      answer: z.string().refine(() => (looks += 1) !== 2, "is too old now"),
      execute: () => pause({ prompt: "?" }),
      resume: ({ response }) => success({ response }),
    });
    const run = await begin(moody);
    const { id } = open(run);
    expect(await run.answer(id, "abc")).toMatchObject({
      status: "failure",
      error: { code: "RESPONSE_INVALID", details: { errors: [{ instancePath: "", code: "invalid", message: "is too old now" }] } },
    });
    expect(open(run).id).toBe(id);
    expect((await run.answer(id, "abc")).status).toBe("success");
  });

  test("as JSON Schema fills in its defaults, and gives its types", async () => {
    const type = defineBlock({
      type: "Ask",
      answer: { jsonSchema: { type: "object", properties: { a: { type: "integer", default: 7 }, b: { type: "string" } } } },
      execute: () => pause({ prompt: "?" }),
      resume({ response }) {
        expectTypeOf(response).toEqualTypeOf<{ readonly a: number; readonly b?: string }>();
        return success({ received: response });
      },
    });
    const run = await begin(type);
    expect(await run.answer(open(run).id, {})).toMatchObject({ outputs: { all: { received: { a: 7 } } } });
  });

  test("with labels takes and gives the values, and refuses in the words that people read", async () => {
    const type = defineBlock({
      type: "Ask",
      answer: {
        jsonSchema: {
          type: "object",
          properties: {
            plan: {
              oneOf: [
                { const: "team", title: "For a team" },
                { const: "me", title: "For me" },
              ],
            },
          },
          required: ["plan"],
        },
      },
      execute: () => pause({ prompt: "?" }),
      resume({ response }) {
        expectTypeOf(response).toEqualTypeOf<{ readonly plan: "team" | "me" }>();
        return success({ received: response });
      },
    });
    const run = await begin(type);
    const refused = await run.answer(open(run).id, { plan: "For a team" });
    expect(refused.error!.details).toEqual({
      fields: { plan: "Choose one of: For a team, For me." },
      errors: [
        {
          instancePath: "/plan",
          code: "enum",
          message: "must be one of: For a team, For me",
          params: { enum: ["team", "me"], titles: ["For a team", "For me"] },
        },
      ],
    });
    expect(await run.answer(open(run).id, { plan: "team" })).toMatchObject({ outputs: { all: { received: { plan: "team" } } } });
  });

  test("goes with what a question asks beside it", async () => {
    const type = defineBlock({
      type: "Ask",
      answer: z.string().toUpperCase(),
      execute: () => pause({ prompt: "?", schema: { enum: ["a", "b"] } }),
      resume: ({ response }) => success({ received: response }),
    });
    const run = await begin(type);
    expect(open(run).schema).toEqual({ enum: ["a", "b"] });
    expect(await run.answer(open(run).id, "c")).toMatchObject({ status: "failure" });
    expect(await run.answer(open(run).id, "b")).toMatchObject({ outputs: { all: { received: "B" } } });
  });

  test("is not asked of who declines", async () => {
    const type = defineBlock({
      type: "Ask",
      answer: z.string().min(1),
      takesDecline: true,
      execute: () => pause({ prompt: "?" }),
      resume: ({ response, action }) => success({ received: response, action: action ?? "none" }),
    });
    const run = await begin(type);
    expect(await run.decline(open(run).id)).toMatchObject({ outputs: { all: { received: null, action: "decline" } } });
  });

  test("that cannot be asked is refused when the workflow is loaded", async () => {
    const type = defineBlock({
      type: "Ask",
      answer: { jsonSchema: { unevaluatedItems: false } as JsonSchema },
      execute: () => pause({ prompt: "?" }),
      resume: () => success({}),
    });
    await expect(begin(type)).rejects.toMatchObject({
      code: "SCHEMA_INVALID",
      message: expect.stringContaining("unevaluatedItems") as string,
    });
  });

  test("counts for what is taken over in a revision, and in its preview", async () => {
    const executor = createExecutor({ store: memoryStore(), blocks: [{ ...invite, pure: true }] });
    const flow = {
      name: "flow",
      blocks: [
        { id: "first", type: "GetInput", inputs: { prompt: "First?" } },
        { id: "ask", type: "Invite", dependsOn: ["first"] },
      ],
      outputs: { all: "${blocks.ask.outputs}" },
    };
    const run = (await executor.start(leftOpen(flow))) as Run;
    await run.settled();
    const first = open(run).id;
    await run.answer(first, "x");
    await run.answer(open(run).id, { name: "Ada ", email: "a@b.org" });
    expect(await run.previewRevise(first, "y")).toMatchObject({ asked: [] });
    await run.revise(first, "y");
    expect((await conclude(run)).outputs).toEqual({ all: { guest: { name: "Ada", email: "a@b.org", seats: 1 } } });
  });
});

describe("an answer that cannot be checked", () => {
  const failing: readonly (readonly [string, Partial<BlockType>])[] = [
    ["by a schema that throws", { answer: handWritten(() => fail()) }],
    ["by a schema that rejects", { answer: handWritten(async () => fail()) }],
    ["by a schema that gives nothing", { answer: handWritten(() => undefined) }],
    ["by the block type", { checkAnswer: () => fail() }],
  ];

  function fail(): never {
    throw new Error("The service does not reply");
  }

  function handWritten(validate: (value: unknown) => unknown): StandardSchema {
    const input = (): object => ({ type: "string" });
    return { "~standard": { version: 1, vendor: "hand", validate, jsonSchema: { input, output: input } } } as StandardSchema;
  }

  test.each(failing)("%s is refused, and the question stays open", async (_how, members) => {
    const type = { ...asking({ type: "string" }), ...members };
    const store = memoryStore();
    const run = await begin(type, store);
    const { error } = await run.answer(open(run).id, "x");
    expect(error).toMatchObject({ code: "RESPONSE_INVALID", message: expect.stringContaining("could not be checked: ") as string });
    expect(error!.details!["errors"]).toMatchObject([{ instancePath: "", code: "invalid" }]);
    expect(await store.head(run.id)).toMatchObject({ status: "paused", pauses: [{ id: open(run).id }] });
  });

  test("is looked at by the promise of another library, too", async () => {
    const thenable = (settle: (result: unknown) => void) => settle({ issues: [{ message: "must be a friend" }] });
    // oxlint-disable-next-line no-thenable -- what is tried
    const run = await begin({ ...asking({ type: "string" }), answer: handWritten(() => ({ then: thenable })) });
    expect((await run.answer(open(run).id, "x")).error!.details!["errors"]).toEqual([
      { instancePath: "", code: "invalid", message: "must be a friend" },
    ]);
  });

  test("does not do for one that was not given in time", async () => {
    const host = fakeHost();
    const type = { ...asking({ type: "string" }), checkAnswer: () => fail() };
    const executor = createExecutor({ store: memoryStore(), blocks: [type], host });
    const run = await executor.start({
      name: "flow",
      blocks: [{ id: "ask", type: "Ask", answerTimeoutMs: 1_000, onTimeout: { answer: "x" } }],
    });
    await run.settled();
    await host.advance(1_000);
    await expect.poll(() => run.getSnapshot().status).toBe("failed");
    expect((await run.settled()).error).toMatchObject({ code: "PAUSE_TIMEOUT" });
  });
});
