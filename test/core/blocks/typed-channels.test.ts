import { expect, expectTypeOf, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  defineWorkflow,
  success,
  type BlockContext,
  type BlockType,
  type ChannelChangesOf,
  type ChannelsOf,
  type Value,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const flow = defineWorkflow(
  {
    name: "flow",
    channels: {
      state: { type: "string", default: "NEW" },
      note: { type: "string" },
      any: {},
      log: { reduce: "append", schema: { items: { type: "object", properties: { at: { type: "number" } }, required: ["at"] } } },
      bare: { reduce: "append" },
      n: { reduce: "sum" },
      profile: { reduce: "merge", schema: { properties: { age: { type: "number" }, name: { type: "string" } }, required: ["age"] } },
      tags: { reduce: "union", schema: { items: { enum: ["a", "b"] } } },
      best: { type: "number", reduce: "highest" },
    },
    blocks: [{ id: "act", type: "Act" }],
  },
  // `Act` knows these channels, so they cannot know it.
  { blocks: [] as BlockType[] },
);

type Held = ChannelsOf<typeof flow>;
type Changes = ChannelChangesOf<typeof flow>;

test("what channels hold follows from their declarations", () => {
  expectTypeOf<Held["state"]>().toEqualTypeOf<string>();
  expectTypeOf<Held["note"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Held["any"]>().toEqualTypeOf<Value>();
  expectTypeOf<Held["log"]>().toEqualTypeOf<readonly { readonly at: number }[]>();
  expectTypeOf<Held["bare"]>().toEqualTypeOf<readonly Value[]>();
  expectTypeOf<Held["n"]>().toEqualTypeOf<number>();
  expectTypeOf<Held["profile"]>().toEqualTypeOf<{ readonly age?: number; readonly name?: string }>();
  expectTypeOf<Held["tags"]>().toEqualTypeOf<readonly ("a" | "b")[]>();
  expectTypeOf<Held["best"]>().toEqualTypeOf<number | null>();
  expectTypeOf<ChannelsOf<Workflow>>().toEqualTypeOf<{ readonly [name: string]: unknown }>();
});

test("what may be written follows from the reducer", () => {
  expectTypeOf<Changes["state"]>().toEqualTypeOf<string>();
  expectTypeOf<Changes["log"]>().toEqualTypeOf<{ readonly at: number }>();
  expectTypeOf<Changes["bare"]>().toEqualTypeOf<unknown>();
  expectTypeOf<Changes["n"]>().toEqualTypeOf<number>();
  expectTypeOf<Changes["profile"]>().toEqualTypeOf<{ readonly age?: number; readonly name?: string }>();
  expectTypeOf<Changes["tags"]>().toEqualTypeOf<"a" | "b" | readonly ("a" | "b")[]>();
  expectTypeOf<Changes["best"]>().toEqualTypeOf<unknown>();
});

test("a block type that says of which workflow its channels are knows them", async () => {
  const act = defineBlock({
    type: "Act",
    inputs: { jsonSchema: { type: "object", properties: { by: { type: "number", default: 2 } } } },
    channels: { of: flow, reads: ["state", "n"], writes: ["state", "n"] },
    execute({ channels, inputs, nextIteration }) {
      expectTypeOf(channels.get("state")).toEqualTypeOf<string>();
      expectTypeOf(inputs.by).toEqualTypeOf<number>();
      if (channels.get("state") === "DONE") return success({ n: channels.get("n") + 1 });
      channels.write("state", "DONE");
      channels.write("n", inputs.by);
      return nextIteration();
    },
  });
  const never = (channels: BlockContext<unknown, typeof flow>["channels"]): void => {
    // @ts-expect-error -- No channel has this name.
    channels.get("stat");
    // @ts-expect-error -- Items have an instant.
    channels.write("log", { on: 1 });
    // @ts-expect-error -- Not a number.
    channels.write("n", "1");
  };
  expect(never).toBeTypeOf("function");
  // @ts-expect-error -- No channel has this name.
  defineBlock({ type: "Wrong", channels: { of: flow, reads: ["stat"] }, execute: () => success({}) });

  const reducers = { highest: { reduce: (held: Value) => held } };
  const run = await createExecutor({ store: memoryStore(), blocks: [act], reducers }).start(flow);
  await run.settled();
  expect(await run.state()).toMatchObject({ channels: { state: "DONE", n: 2 }, values: { act: { n: 3 } } });
});

test("a block type that does not say may use any channel", () => {
  defineBlock({
    type: "Any",
    channels: { reads: ["anything"] },
    execute({ channels }) {
      expectTypeOf(channels.get("anything")).toEqualTypeOf<unknown>();
      channels.write("other", { x: 1 });
      return success({});
    },
  });
});
