import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  invalid,
  pause,
  success,
  WorkflowError,
  type BlockType,
  type Run,
  type Store,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const revoked = (target: object = {}): object => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const refuse = (): never => {
  throw revoked();
};
/** An object of which nothing can be read without an error. */
const untouchable = (target: object = {}): object =>
  new Proxy(target, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse });
/** An error with a member that throws when it is read. */
const trap = (name: string, error: Error = new Error("A trap.")): Error => Object.defineProperty(error, name, { get: refuse });
const cyclic = (): Error => {
  const error: Error & { cause?: unknown } = new Error("Round and round.");
  error.cause = error;
  return error;
};
const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = { in: value };
  return value;
};
/** Something that says it is an error of this package. */
const branded = (members: object): object => ({ "~wavepoint": true, ...members });
/** Reads as one thing first and as another one later. */
const turning = (name: string, first: unknown, then: unknown): object => {
  let reads = 0;
  return Object.defineProperty({}, name, { enumerable: true, get: () => (reads++ === 0 ? first : then) });
};

const thenable = (then: () => void): object => {
  const made = {};
  Reflect.set(made, "then", then);
  return made;
};
/** Counts how often a value is made. */
function counted(make: () => unknown) {
  const counter = {
    made: 0,
    make: (): unknown => {
      counter.made += 1;
      return make();
    },
  };
  return counter;
}

/** Everything that a block may throw. */
const THROWN: { readonly [what: string]: () => unknown } = {
  "a revoked proxy": () => revoked(),
  "a revoked function": () => revoked(() => {}),
  "a revoked error": () => revoked(new WorkflowError("BLOCK_FAILED", "Gone.")),
  "an object that cannot be read": () => untouchable(),
  "an error that cannot be read": () => untouchable(new Error("No.")),
  "a symbol": () => Symbol("sign"),
  null: () => null,
  undefined: () => undefined,
  "a bigint": () => 10n,
  "a function": () => () => 1,
  "an object without a prototype": () => Object.create(null) as object,
  "an object whose text is no text": () => ({ toString: () => ({}), [Symbol.toPrimitive]: refuse }),
  "a thenable that throws": () => thenable(refuse),
  "a thenable that never ends": () => thenable(() => {}),
  "an error with a message that throws": () => trap("message"),
  "an error with a name that throws": () => trap("name"),
  "an error with a cause that throws": () => trap("cause"),
  "an error with a stack that throws": () => trap("stack"),
  "an error with a message that is no text": () => Object.assign(new Error(), { message: Symbol("m") }),
  "an error that causes itself": cyclic,
  "a giant message": () => new Error("x".repeat(5_000_000)),
  "an error of this package whose code throws": () => trap("code", new WorkflowError("BLOCK_FAILED", "x")),
  "an error of this package whose details throw": () => trap("details", new WorkflowError("BLOCK_FAILED", "x")),
  "an error of this package that is no JSON": () => Object.assign(new WorkflowError("BLOCK_FAILED", "x"), { toJSON: refuse }),
  "details that are deep": () => new WorkflowError("BLOCK_FAILED", "x", { details: { in: deep(2_000) as never } }),
  "details that cannot be read": () => new WorkflowError("BLOCK_FAILED", "x", { details: untouchable() as never }),
  "details of functions": () => new WorkflowError("BLOCK_FAILED", "x", { details: (() => 1) as never }),
  "details with a bigint and a cycle": () => {
    const details: { [key: string]: unknown } = { big: 1n };
    details["self"] = details;
    return new WorkflowError("BLOCK_FAILED", "x", { details: details as never });
  },
  "a place that is none": () => new WorkflowError("BLOCK_FAILED", "x", { place: { line: "one", path: {} } as never }),
  "a brand alone": () => branded({}),
  "a brand with a code that is no text": () => branded({ code: 7, message: 8, toJSON: () => ({ code: 7, message: 8 }) }),
  "a brand with a code of your own": () => branded({ code: "x".repeat(5_000), message: "y", toJSON: () => ({ code: "z".repeat(5_000) }) }),
  "a brand with the code of a store": () =>
    branded({
      code: "STORE_FAILED",
      get message() {
        return refuse();
      },
    }),
  "a brand whose code turns": () =>
    Object.assign(turning("code", "BLOCK_FAILED", Symbol("c")), branded({ message: "x", toJSON: () => [] })),
};

/** What a block may return instead of a result, or in one. */
const RETURNED: { readonly [what: string]: () => unknown } = {
  "a revoked proxy": () => revoked(),
  "an object that cannot be read": () => untouchable(),
  nothing: () => undefined,
  "a symbol": () => Symbol("r"),
  "a thenable that throws": () => thenable(refuse),
  "a status that turns": () => ({ ...turning("status", "success", "paused") }),
  "outputs that are revoked": () => success(revoked() as never),
  "an output that is revoked": () => success({ value: revoked() }),
  "an output whose member throws": () => success({ value: trap("in", {} as Error) }),
  "an output that cannot be read": () => success({ value: untouchable() }),
  "a failure without an error": () => ({ status: "failure" }),
  "a failure with a revoked error": () => ({ status: "failure", error: revoked() }),
  "a failure with an error that is a text": () => ({ status: "failure", error: "no" }),
  "a failure with a code that is none": () => ({ status: "failure", error: { code: 5, message: {} } }),
  "a failure whose message turns": () => ({
    status: "failure",
    error: Object.assign(turning("message", "x", 5), { code: "BLOCK_FAILED" }),
  }),
  "a failure with deep details": () => failure({ code: "BLOCK_FAILED", message: "x", details: { in: deep(2_000) as never } }),
  "a failure with revoked outputs": () => failure("x", revoked()),
  "a revoked question": () => ({ status: "paused", questions: [revoked()] }),
  "questions that are revoked": () => ({ status: "paused", questions: revoked([]) }),
  "a question whose prompt throws": () => pause(trap("prompt", {} as Error) as never),
  "a question whose prompt turns": () => pause(turning("prompt", "Who?", 5) as never),
  "a question with a revoked schema": () => pause({ prompt: "Who?", schema: revoked() as never }),
  "a question with a schema that cannot be read": () => pause({ prompt: "Who?", schema: untouchable() as never }),
  "a question with revoked metadata": () => pause({ prompt: "Who?", metadata: revoked() as never }),
  "a question with a revoked prefill": () => pause({ prompt: "Who?", prefill: revoked() as never }),
  "a question with a time limit that is none": () => pause({ prompt: "Who?", timeoutMs: Number.NaN }),
  "a question of a called run that is none": () => pause({ prompt: "Who?", child: { pause: "x", path: [5], asks: {} } } as never),
  "a question whose answer on time is revoked": () => pause({ prompt: "Who?", timeoutMs: 5, onTimeout: { answer: revoked() as never } }),
  "an instant that is none": () => ({ status: "waiting", until: Symbol("u") }),
  "a revoked value for the next iteration": () => ({ status: "again", value: revoked() }),
};

/** How a block comes to its end with something odd. */
const WAYS: { readonly [way: string]: (make: () => unknown, isThrown: boolean) => Pick<BlockType, "execute" | "resume"> } = {
  "at once": (make, isThrown) => ({
    execute: () => {
      if (isThrown) throw make();
      return make() as never;
    },
    resume: () => success({}),
  }),
  later: (make, isThrown) => ({
    async execute() {
      await undefined;
      if (isThrown) throw make();
      return make() as never;
    },
    resume: async () => success({}),
  }),
};

const failing = (isRetried: boolean) => ({
  name: "odd",
  blocks: [{ id: "odd", type: "Odd", ...(isRetried ? { retry: { maxAttempts: 2, delayMs: 1 } } : {}) }],
});

function executorOn(store: Store, block: BlockType) {
  return createExecutor({ store, blocks: [block], host: fakeHost({ autoAdvance: true }) });
}

async function expectFailed(run: Run, store: Store, block: BlockType): Promise<void> {
  const result = await run.settled();
  expect(result.status).toBe("failure");
  expect(result.error).toEqual({
    code: expect.stringMatching(/^[A-Z][A-Z_]{2,40}$/),
    message: expect.any(String),
    details: expect.anything(),
  });
  expect(result.error!.message.length).toBeLessThan(5_000);
  // What was stored can be read, and says the same.
  const again = await executorOn(store, block).open(run.id);
  expect(await again.settled()).toEqual(result);
  expect(await again.steps()).toEqual(await run.steps());
  await run.cancel();
}

const table = (values: { readonly [what: string]: () => unknown }) =>
  Object.entries(values).flatMap(([what, make]) => Object.keys(WAYS).map((way) => [what, way, make] as const));

describe("a block may throw any value: its step fails with an error that can be kept", () => {
  test.each(table(THROWN))("%s, thrown %s", async (_, way, make) => {
    for (const isRetried of [false, true]) {
      const counter = counted(make);
      const { execute } = WAYS[way]!(counter.make, true);
      const block = defineBlock({ type: "Odd", execute } as never) as BlockType;
      const store = memoryStore();
      const run = await executorOn(store, block).start(failing(isRetried));
      await expectFailed(run, store, block);
      expect(counter.made).toBe(isRetried ? 2 : 1);
    }
  });

  test.each(Object.entries(THROWN))("%s, thrown after an answer", async (_, make) => {
    const block = defineBlock({
      type: "Odd",
      execute: () => pause({ prompt: "Who?" }),
      resume: () => {
        throw make();
      },
    }) as BlockType;
    const store = memoryStore();
    const run = await executorOn(store, block).start(failing(false));
    await run.settled();
    await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
    await expectFailed(run, store, block);
  });
});

describe("a block may return any value: its step comes to an end that can be kept", () => {
  test.each(table(RETURNED))("%s, returned %s", async (_, way, make) => {
    const counter = counted(make);
    const block = defineBlock({ type: "Odd", ...WAYS[way]!(counter.make, false) } as never) as BlockType;
    const store = memoryStore();
    const run = await executorOn(store, block).start(failing(false));
    await expectEnd(run, store, block);
    expect(counter.made).toBe(1);
  });

  test.each([
    ["no text", () => invalid(5 as never)],
    ["deep details", () => invalid("No.", { in: deep(2_000) as never })],
    ["no error", () => ({ status: "invalid" })],
    ["a revoked error", () => ({ status: "invalid", error: revoked() })],
  ])("an answer refused with %s", async (_, make) => {
    const block = defineBlock({ type: "Odd", execute: () => pause({ prompt: "Who?" }), resume: () => make() as never }) as BlockType;
    const store = memoryStore();
    const run = await executorOn(store, block).start(failing(false));
    await run.settled();
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
    expect(result).toMatchObject({ status: "failure", error: { code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String) } });
    const again = await executorOn(store, block).open(run.id);
    expect(again.getSnapshot().status).toBe(run.getSnapshot().status);
  });
});

/** Failed, or waiting for what can be understood. */
async function expectEnd(run: Run, store: Store, block: BlockType): Promise<void> {
  const result = await run.settled();
  if (result.status === "failure") return expectFailed(run, store, block);
  const again = await executorOn(store, block).open(run.id);
  expect(again.getSnapshot().status).toBe(run.getSnapshot().status);
  expect(await again.settled()).toMatchObject({ status: result.status });
}
