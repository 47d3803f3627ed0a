import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, success, type BlockType, type RunEvent } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const SECRET = "open-sesame-42";

function loginFails(): never {
  const inner = new RangeError(`the door is not ${SECRET}`);
  throw new TypeError("cannot log in", { cause: inner });
}

const login: BlockType = defineBlock({ type: "Login", secretInputs: ["key"], execute: () => loginFails() });
const careful: BlockType = defineBlock({
  type: "Careful",
  execute() {
    try {
      loginFails();
    } catch (cause) {
      return failure({ code: "BLOCK_FAILED", message: "No entry.", cause });
    }
    return success({});
  },
});

function world(block: "Login" | "Careful", more: { retry?: { maxAttempts: number; delayMs: number } } = {}) {
  const events: RunEvent[] = [];
  const store = memoryStore();
  const executor = createExecutor({
    store,
    blocks: [login, careful],
    secrets: () => SECRET,
    host: fakeHost({ autoAdvance: true }),
    onEvent: (event) => void events.push(event),
  });
  const inner = { name: "inner", blocks: [{ id: "in", type: block, ...more }] };
  return { events, store, executor, inner };
}

function causesOf(events: readonly RunEvent[]): unknown[] {
  return events.flatMap((event) => (event.type === "recorded" && event.cause !== undefined ? [event.cause] : []));
}

describe("what a block throws keeps its stack for developers", () => {
  test.each(["Login", "Careful"] as const)("in the event of its failure and in the cause of the result: %s", async (block) => {
    const { events, store, executor, inner } = world(block);
    const run = await executor.start(inner);
    const result = await run.settled();
    const cause = result.error!.cause as TypeError;
    expect(cause).toBeInstanceOf(TypeError);
    expect(cause.stack).toContain("loginFails");
    expect((cause.cause as Error).stack).toContain("loginFails");
    expect(causesOf(events)).toEqual([cause]);
    // Neither stored nor shown to anyone who uses the page.
    const stored = JSON.stringify([await store.read(run.id), await store.head(run.id)]);
    const shown = JSON.stringify([result, run.getSnapshot(), await run.steps()]);
    for (const text of [stored, shown]) expect(text).not.toMatch(/loginFails|\.ts:\d|"cause"|"stack"/);
    expect(Object.keys({ ...result.error })).not.toContain("cause");
    // Another process knows nothing of it.
    const again = await createExecutor({ store, blocks: [login, careful], host: fakeHost() }).open(run.id);
    expect(await again.settled()).toEqual(result);
    expect((await again.settled()).error!.cause).toBeUndefined();
  });

  test("for each attempt, and through a called workflow", async () => {
    const { events, executor, inner } = world("Login", { retry: { maxAttempts: 3, delayMs: 1 } });
    await executor.load(inner);
    const run = await executor.start({ name: "outer", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } }] });
    const result = await run.settled();
    expect(result.error!.cause).toBeInstanceOf(TypeError);
    // Three attempts in the called run, and the failure of the block that called it.
    expect(causesOf(events)).toHaveLength(4);
  });

  test("with secrets masked in all of it", async () => {
    const { events, executor } = world("Login");
    const run = await executor.start({ name: "keys", blocks: [{ id: "in", type: "Login", inputs: { key: "${secrets.DOOR}" } }] });
    const { cause } = (await run.settled()).error!;
    const told = (error: unknown): string => {
      const { name, message, stack, cause: inner } = error as Error;
      return `${name} ${message} ${stack}${inner === undefined ? "" : told(inner)}`;
    };
    expect(causesOf(events)).toEqual([cause]);
    expect(told(cause)).toContain("TypeError");
    expect(told(cause)).toContain("loginFails");
    expect(told(cause)).toContain("the door is not ***");
    expect(told(cause)).not.toContain(SECRET);
  });
});
