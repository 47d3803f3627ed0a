import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  success,
  type Block,
  type BlockType,
  type ExecutorOptions,
  type ResourceContext,
  type RunEvent,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { sharedStore } from "../../support/shared-store.ts";

interface Options {
  readonly reconnects?: boolean;
  /** Called by each opening. */
  readonly opening?: (context: ResourceContext) => void;
  readonly closing?: () => void | Promise<void>;
}

/** A city of sandboxes: what is open in it, and what was done to them. Blocks of type `Use` add their id to what their sandbox holds. */
function city({ reconnects = true, opening = () => {}, closing = () => {} }: Options = {}) {
  const done: string[] = [];
  const open = new Map<string, string[]>();
  const live = (id: string, process: string) => ({
    process,
    add(name: string): string {
      const held = open.get(id);
      if (!held) throw new Error(`${id} is gone.`);
      held.push(name);
      return held.join("");
    },
  });
  const typeIn = (process: string): BlockType =>
    defineBlock({
      type: "Use",
      resources: {
        sandbox: {
          async open(context) {
            opening(context);
            const id = `s${open.size + done.filter((line) => line.startsWith("close")).length + 1}`;
            await Promise.resolve();
            open.set(id, []);
            done.push(`open ${id}`);
            return { live: live(id, process), reference: { id } };
          },
          ...(reconnects && {
            async reconnect({ id }: { readonly id: string }) {
              done.push(`reconnect ${id}`);
              if (!open.has(id)) throw new Error(`${id} is gone.`);
              return live(id, process);
            },
          }),
          disconnect: ({ process: from }) => void done.push(`disconnect in ${from}`),
          async close({ id }: { readonly id: string }, there) {
            done.push(`close ${id} ${there ? "live" : "by its reference"}`);
            open.delete(id);
            await closing();
          },
        },
      },
      async execute({ resource, block }) {
        const sandbox = await resource("sandbox");
        expectTypeOf(sandbox.add).toEqualTypeOf<(name: string) => string>();
        return success({ held: sandbox.add(block) });
      },
    });
  return { done, open, typeIn };
}

const use = (id: string, ...dependsOn: readonly string[]): Block => ({ id, type: "Use", dependsOn });
const ask = (id: string, ...dependsOn: readonly string[]): Block => ({ id, type: "GetInput", inputs: { prompt: id }, dependsOn });
const flowOf = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });

function executorFor(
  store: Store,
  flow: Workflow,
  type: BlockType,
  { seed = 1, ...options }: Partial<ExecutorOptions> & { seed?: number } = {},
) {
  return createExecutor({ store, workflows: [flow], blocks: [type], host: fakeHost({ autoAdvance: true, seed }), ...options });
}

describe("a resource", () => {
  test("is opened once by the blocks of a wave, shared by all of its type, and closed when the run ends", async () => {
    const { done, typeIn } = city();
    const store = memoryStore();
    const run = await executorFor(store, flowOf(use("a"), use("b"), use("c", "a", "b")), typeIn("p")).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect((await run.steps()).map(({ outputs }) => outputs!["held"])).toEqual(["a", "ab", "abc"]);
    expect(done).toEqual(["open s1", "close s1 live"]);
    const entries = (await store.read(run.id)).map((text) => JSON.parse(text) as { type: string });
    expect(entries.filter(({ type }) => type === "opened")).toMatchObject([{ blockType: "Use", name: "sandbox", reference: { id: "s1" } }]);
  });

  test("has its reference in the store before a block gets it", async () => {
    const seen: unknown[] = [];
    let store = memoryStore();
    const type = defineBlock({
      type: "Use",
      resources: { one: { open: () => ({ live: 1, reference: [new Date(7)] }) } },
      async execute({ resource, run }) {
        await resource("one");
        seen.push((await store.read(run)).at(-1));
        return success({});
      },
    });
    for (const policy of [{ durability: "async" }, { durability: "exit", retention: "latest" }] as const) {
      store = memoryStore();
      await (await executorFor(store, flowOf(use("a")), type, { policy }).start("flow")).settled();
    }
    expect(seen).toEqual([expect.stringContaining('"opened"'), expect.stringContaining('"opened"')]);
  });

  test("is given up while the run waits for a person, and found again by its reference", async () => {
    const { done, typeIn } = city();
    const open = sharedStore(memoryStore());
    const flow = flowOf(use("a"), ask("q", "a"), use("b", "q"));
    const first = await executorFor(open(), flow, typeIn("first")).start("flow");
    const { pauses } = await first.settled();
    expect(done).toEqual(["open s1", "disconnect in first"]);
    const second = await executorFor(open(), flow, typeIn("second"), { seed: 2 }).answer(pauses![0]!.id, "go");
    expect(second).toMatchObject({ status: "success" });
    expect(done.slice(2)).toEqual(["reconnect s1", "close s1 live"]);
  });

  test("that its type cannot find again is kept in its process, and opened anew in another one, with an event", async () => {
    const { done, typeIn } = city({ reconnects: false });
    const open = sharedStore(memoryStore());
    const flow = flowOf(use("a"), ask("q", "a"), use("b", "q"), ask("r", "b"), use("c", "r"));
    const events: RunEvent[] = [];
    const here = executorFor(open(), flow, typeIn("here"));
    const run = await here.start("flow");
    const { pauses } = await run.settled();
    const again = await run.answer(pauses![0]!.id, "go");
    expect(done).toEqual(["open s1"]);
    await here.close();
    expect(done).toEqual(["open s1", "disconnect in here"]);
    const onEvent = (event: RunEvent) => void events.push(event);
    const there = executorFor(open(), flow, typeIn("there"), { seed: 2, onEvent });
    if (again.status !== "paused") throw new Error(again.status);
    await there.answer(again.pauses[0]!.id, "go");
    expect(done.slice(2)).toEqual(["open s2", "close s2 live"]);
    const told = events.filter(({ type }) => type.startsWith("resource"));
    expect(told).toEqual([{ type: "resource_recreated", run: run.id, blockType: "Use", name: "sandbox" }]);
  });

  test("that is gone is opened anew, under another key for services", async () => {
    const keys: string[] = [];
    const { done, open, typeIn } = city({ opening: ({ idempotencyKey }) => void keys.push(idempotencyKey.replace(/^run_\w+/, "")) });
    const events: RunEvent[] = [];
    const flow = flowOf(use("a"), ask("q", "a"), use("b", "q"));
    const executor = executorFor(memoryStore(), flow, typeIn("p"), { onEvent: (event) => void events.push(event) });
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    open.clear();
    expect(await run.answer(pauses![0]!.id, "go")).toMatchObject({ status: "success" });
    expect(keys).toEqual(["/Use.sandbox", "/Use.sandbox~1"]);
    expect(done).toContain("reconnect s1");
    expect(events.filter(({ type }) => type === "resource_recreated")).toMatchObject([{ error: { message: "s1 is gone." } }]);
  });

  test("is closed when the run is cancelled, deleted, or fails, and opened anew where a failed run goes on", async () => {
    const { done, open, typeIn } = city();
    const flow = flowOf(use("a"), ask("q", "a"), use("b", "q"));
    const executor = executorFor(memoryStore(), flow, typeIn("p"));
    const start = async () => {
      const run = await executor.start("flow");
      const { pauses } = await run.settled();
      done.length = 0;
      return { run, pause: pauses![0]!.id };
    };
    const cancelled = await start();
    await cancelled.run.cancel();
    expect(done).toEqual(["close s1 by its reference"]);
    const deleted = await start();
    await executor.runs.delete(deleted.run.id);
    expect(done).toEqual([expect.stringMatching(/^close s\d by its reference$/)]);
    expect(open.size).toBe(0);
    let broken = true;
    const failing = defineBlock({
      type: "Fail",
      execute: () => {
        if (broken) throw new Error("broken");
        return success({});
      },
    });
    const store = memoryStore();
    const blocks = [typeIn("p"), failing];
    const failed = createExecutor({ store, blocks, host: fakeHost({ autoAdvance: true }) });
    done.length = 0;
    const run = await failed.start(flowOf(use("a"), { id: "f", type: "Fail", dependsOn: ["a"] }, use("b", "f")));
    expect(await run.settled()).toMatchObject({ status: "failure" });
    expect(open.size).toBe(0);
    broken = false;
    expect(await run.resume()).toMatchObject({ status: "success" });
    expect(done.map((line) => line.split(" ")[0])).toEqual(["open", "close", "open", "close"]);
  });

  test("of a fork is its own", async () => {
    const { done, open, typeIn } = city();
    const flow = flowOf(use("a"), ask("q", "a"), use("b", "q"));
    const executor = executorFor(memoryStore(), flow, typeIn("p"));
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    const fork = await executor.fork(pauses![0]!.id, { answers: { [pauses![0]!.id]: "x" } });
    expect(await fork.settled()).toMatchObject({ status: "success" });
    expect(done).toEqual(["open s1", "disconnect in p", "open s2", "close s2 live"]);
    expect([...open.keys()]).toEqual(["s1"]);
    await executor.fork(pauses![0]!.id).then((other) => other.cancel());
    expect([...open.keys()]).toEqual(["s1"]);
  });

  test("that cannot be opened fails its block, and a retry tries again under the same key", async () => {
    let left = 2;
    const keys: string[] = [];
    const { typeIn } = city({
      opening({ idempotencyKey }) {
        keys.push(idempotencyKey);
        if (left-- > 0) throw new Error("no room");
      },
    });
    const flow = flowOf({ ...use("a"), retry: { maxAttempts: 2 } });
    const run = await executorFor(memoryStore(), flow, typeIn("p")).start("flow");
    expect(await run.settled()).toMatchObject({
      status: "failure",
      error: { code: "RESOURCE_FAILED", message: expect.stringContaining("no room"), details: { block: "a", resource: "sandbox" } },
    });
    expect(await run.resume()).toMatchObject({ status: "success" });
    expect(new Set(keys).size).toBe(1);
  });

  test("that its type does not declare is refused", async () => {
    const type = defineBlock({
      type: "Use",
      resources: { one: { open: () => ({ live: 1, reference: 1 }) } },
      execute: async ({ resource }) => {
        // @ts-expect-error No such resource is declared.
        await resource("other");
        return success({});
      },
    });
    const result = await (await executorFor(memoryStore(), flowOf(use("a")), type).start("flow")).settled();
    expect(result).toMatchObject({ status: "failure", error: { code: "RESOURCE_FAILED", message: expect.stringContaining("one") } });
  });

  test("whose reference cannot be kept is closed at once", async () => {
    const done: string[] = [];
    const type = defineBlock({
      type: "Use",
      resources: { one: { open: () => ({ live: 1, reference: () => 1 }), close: (_: unknown, live) => void done.push(`close ${live}`) } },
      execute: async ({ resource }) => success({ one: await resource("one") }),
    });
    const result = await (await executorFor(memoryStore(), flowOf(use("a")), type).start("flow")).settled();
    expect(result).toMatchObject({ status: "failure", error: { code: "VALUE_UNSERIALIZABLE" } });
    expect(done).toEqual(["close 1"]);
  });

  test.each([
    ["throws", () => Promise.reject(new Error("It is stuck.")), "It is stuck."],
    ["never ends", () => new Promise<void>(() => {}), "10000"],
  ])("whose closing %s does not keep the run from its end, and makes an event", async (_, closing, message) => {
    const { typeIn } = city({ closing });
    const events: RunEvent[] = [];
    const executor = executorFor(memoryStore(), flowOf(use("a")), typeIn("p"), { onEvent: (event) => void events.push(event) });
    expect(await (await executor.start("flow")).settled()).toMatchObject({ status: "success" });
    const told = events.filter(({ type }) => type === "resource_left");
    expect(told).toMatchObject([{ name: "sandbox", error: { message: expect.stringContaining(message) } }]);
  });

  test("has what is secret in its reference in memory alone, and is opened anew where that is lost", async () => {
    const opened: string[] = [];
    const found: string[] = [];
    const type = defineBlock({
      type: "Use",
      resources: {
        one: {
          open() {
            opened.push("x");
            return { live: opened.length, reference: { token: "s3cr3t-value" } };
          },
          reconnect({ token }: { readonly token: string }) {
            found.push(token);
            return 0;
          },
        },
      },
      execute: async ({ resource }) => success({ one: await resource("one") }),
    });
    const store = memoryStore();
    const open = sharedStore(store);
    const flow = flowOf(use("a"), ask("q", "a"), use("b", "q"), ask("r", "b"), use("c", "r"));
    const run = await executorFor(open(), flow, type).start("flow");
    const first = await run.settled();
    const second = await run.answer(first.pauses![0]!.id, "x");
    expect(found).toEqual(["s3cr3t-value"]);
    if (second.status !== "paused") throw new Error(second.status);
    expect(await executorFor(open(), flow, type, { seed: 2 }).answer(second.pauses[0]!.id, "x")).toMatchObject({ status: "success" });
    expect(opened).toHaveLength(2);
    expect((await store.read(run.id)).join("\n")).not.toContain("s3cr3t");
  });
});
