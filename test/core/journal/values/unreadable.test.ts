import { describe, expect, test } from "vitest";
import {
  createExecutor,
  pause,
  success,
  type BlockType,
  type ErrorCode,
  type Executor,
  type Value,
  type Values,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

/** Values that throw when they are looked at. */
const UNREADABLE: readonly (readonly [what: string, make: () => never])[] = [
  ["a getter that throws", () => ({ get member() { throw new Error("do not look"); } }) as never], // prettier-ignore
  ["a proxy that throws", () => new Proxy({}, { ownKeys: refuse, getPrototypeOf: refuse }) as never],
  ["a proxy that was revoked", () => revoked() as never],
  ["a buffer that was given away", () => givenAway() as never],
];

function refuse(): never {
  throw new Error("do not look");
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function givenAway(): Uint8Array {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

function setUp(type: Partial<BlockType> = {}): Executor {
  const block = { type: "Own", execute: () => success({}), ...type } as BlockType;
  return createExecutor({
    store: memoryStore(),
    blocks: [block],
    workflows: [{ name: "flow", inputs: { given: { type: "object", required: false } }, blocks: [{ id: "own", type: "Own" }] }],
  });
}

const asking = { execute: () => pause({ prompt: "What?", schema: {} }), resume: () => success({}) } satisfies Partial<BlockType>;

const CONDITIONAL = { type: "object", properties: { a: { type: "string" }, b: { type: "string", showIf: "${fields.a} == 'x'" } } } as const;

describe.each(UNREADABLE)("%s", (_, make) => {
  test.each([{}, CONDITIONAL])("is refused as an answer, and the question stays open, by the schema %j", async (schema) => {
    const run = await setUp({ ...asking, execute: () => pause({ prompt: "What?", schema }) }).start("flow");
    const { pauses } = await run.settled();
    const result = await run.answer(pauses![0]!.id, make());
    expect(result).toMatchObject({
      status: "failure",
      error: { code: "RESPONSE_INVALID", message: expect.stringContaining("cannot be read") },
    });
    expect(run.getSnapshot()).toMatchObject({ status: "paused", pauses: [{ id: pauses![0]!.id }] });
  });

  test("is refused as a draft", async () => {
    const run = await setUp(asking).start("flow");
    const { pauses } = await run.settled();
    await expect(run.saveDraft(pauses![0]!.id, make())).rejects.toMatchObject({ code: "VALUE_UNSERIALIZABLE" });
    expect(run.getSnapshot().pauses[0]!.draft).toBeUndefined();
  });

  test("is refused as an input, and no run is made", async () => {
    const executor = setUp();
    const codes: readonly ErrorCode[] = ["INPUT_INVALID", "VALUE_UNSERIALIZABLE"];
    await expect(executor.start("flow", { given: make() })).rejects.toMatchObject({ code: expect.toBeOneOf([...codes]) });
    expect((await executor.runs.list()).items).toEqual([]);
  });

  test("fails the block that gives it", async () => {
    const run = await setUp({ execute: () => success({ value: make() }) }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "VALUE_UNSERIALIZABLE" } });
  });
});

test("what is thrown need be no text for its block to fail", async () => {
  const thrown: readonly unknown[] = [Object.create(null), { toString: refuse }, undefined, Symbol("s"), givenAway()];
  for (const one of thrown) {
    const run = await setUp({
      execute: () => {
        throw one;
      },
    }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "BLOCK_FAILED" } });
  }
});

test("a question without a text fails its block", async () => {
  for (const options of [{}, { prompt: 5 }, { prompt: "What?", title: ["Which"] }]) {
    const run = await setUp({ ...asking, execute: () => pause(options as { prompt: string }) }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "BLOCK_FAILED" } });
  }
});

describe("inputs", () => {
  test("that are no plain object are not taken for none", async () => {
    const executor = setUp();
    const wrong = [Promise.resolve({ given: {} }), new Map([["given", {}]]), new URLSearchParams("given=1"), new Date(0), [], revoked()];
    for (const inputs of wrong as unknown as Values[]) {
      await expect(executor.start("flow", inputs)).rejects.toMatchObject({ code: "INPUT_INVALID" });
    }
    expect((await executor.runs.list()).items).toEqual([]);
    await expect(executor.start("flow", Object.assign(Object.create(null) as object, { given: {} }))).resolves.toBeDefined();
  });

  test("the workflow does not have are listed up to a number", async () => {
    const inputs = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`unknown${i}`, i]));
    const problem = await setUp()
      .start("flow", inputs)
      .catch((error: unknown) => error as { readonly code: string; readonly message: string });
    expect(problem).toMatchObject({ code: "INPUT_INVALID", message: expect.stringContaining('"unknown99"') });
    expect((problem as { readonly message: string }).message).not.toContain('"unknown100"');
  });
});

test("a definition that holds itself, or throws when it is read, is refused", async () => {
  const itself: { [name: string]: Value } = {};
  itself["again"] = itself;
  const unreadable: readonly Workflow[] = [
    { name: "round", blocks: [{ id: "a", type: "Own", inputs: itself }] },
    { name: "round", inputs: { given: { type: "object", default: itself } }, blocks: [] },
    { name: "round", blocks: [], outputs: { all: { value: itself } } },
    { name: "round", blocks: [{ id: "a", type: "Own", inputs: UNREADABLE[0]![1]() }] },
    { name: "round", blocks: [{ id: "a", type: "Own", inputs: revoked() as Values }] },
  ];
  for (const workflow of unreadable) {
    await expect(setUp().load(workflow)).rejects.toMatchObject({
      code: expect.toBeOneOf(["SCHEMA_INVALID", "INPUT_DEFAULT_INVALID", "LIMIT_EXCEEDED"] satisfies ErrorCode[]),
      message: expect.stringContaining("round"),
    });
  }
});
