import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  pause,
  success,
  type Block,
  type Executor,
  type RunEvent,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Adds the blocks that its input writes as JSON, with "#{" in the place of what begins a reference. */
const adds = defineBlock({
  type: "Adds",
  async execute({ inputs, add, host }) {
    const { json = "[]", ms } = inputs as { readonly json?: string; readonly ms?: number };
    if (ms !== undefined) await host.sleep(ms);
    const blocks = JSON.parse(json.replaceAll("#{", "${")) as readonly Block[];
    add(blocks);
    return success({ count: blocks.length });
  },
});
/** Adds one block in each of its iterations. */
const addsInTurns = defineBlock({
  type: "AddsInTurns",
  execute({ inputs, iteration, add, nextIteration }) {
    add({ id: `turn${iteration}`, type: "EchoBlock", inputs: { message: `turn ${iteration}` } });
    return iteration < (inputs as { turns: number }).turns ? nextIteration() : success({});
  },
});
const asksAfter = defineBlock({
  type: "AsksAfter",
  execute({ add }) {
    add(echo("late"));
    return pause({ prompt: "Go on?" });
  },
  resume: () => success({}),
});

const BLOCKS = [adds, addsInTurns, asksAfter];
const echo = (id: string, dependsOn: readonly string[] = [], message: string = id): Block => ({
  id,
  type: "EchoBlock",
  ...(dependsOn.length > 0 && { dependsOn }),
  inputs: { message },
});
const adder = (id: string, blocks: readonly unknown[], more: Partial<Block> = {}): Block => ({
  id,
  type: "Adds",
  inputs: { json: JSON.stringify(blocks).replaceAll("${", "#{") },
  ...more,
});
const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });

function executorOn(store: Store = memoryStore(), options: Partial<Parameters<typeof createExecutor>[0]> = {}): Executor {
  return createExecutor({ store, blocks: BLOCKS, host: fakeHost({ autoAdvance: true }), ...options });
}

async function settle(workflow: Workflow, executor = executorOn()) {
  const run = await executor.start(workflow);
  return { run, result: await run.settled() };
}

const wavesOf = (view: { readonly waves: readonly { readonly blocks: readonly { readonly id: string }[] }[] }) =>
  view.waves.map(({ blocks }) => blocks.map(({ id }) => id));

describe("blocks that a block adds", () => {
  test("run after it, in waves of their own, and may depend on each other and on all that is there", async () => {
    const { run, result } = await settle(
      flow(
        echo("first"),
        adder(
          "plan",
          [echo("x", ["first"], "from ${blocks.first.outputs.echoed}"), echo("y", ["x", "last"], "${blocks.x.outputs.echoed}!")],
          { dependsOn: ["first"] },
        ),
        echo("next", ["plan"]),
        echo("last", ["next"]),
      ),
    );
    expect(result).toMatchObject({ status: "success" });
    expect(wavesOf(run.getSnapshot())).toEqual([["first"], ["plan"], ["x", "next"], ["last"], ["y"]]);
    const { values } = await run.state();
    expect(values).toMatchObject({ x: { echoed: expect.stringContaining("from") }, y: { echoed: expect.stringContaining("!") } });
    expect((await run.steps()).map(({ block }) => block)).toEqual(["first", "plan", "x", "next", "last", "y"]);
  });

  test("make new waves behind the last one, iteration by iteration", async () => {
    const { run, result } = await settle(flow({ id: "a", type: "AddsInTurns", inputs: { turns: 3 } }));
    expect(result).toMatchObject({ status: "success" });
    expect(wavesOf(run.getSnapshot())).toEqual([["a"], ["turn1", "turn2", "turn3"]]);
  });

  test("may add others", async () => {
    const inner = adder("b", [echo("c")]);
    const { run, result } = await settle(flow(adder("a", [{ ...inner, inputs: { json: JSON.stringify([echo("c")]) } }])));
    expect(result).toMatchObject({ status: "success" });
    expect(wavesOf(run.getSnapshot())).toEqual([["a"], ["b"], ["c"]]);
  });

  test("stand in the plan in one order, whichever block was quicker", async () => {
    const slow = defineBlock({
      type: "Slow",
      async execute({ inputs, add, block, host }) {
        await host.sleep((inputs as { ms: number }).ms);
        add(echo(`of_${block}`));
        return success({});
      },
    });
    for (const [one, other] of [
      [10, 50],
      [50, 10],
    ]) {
      const executor = executorOn(memoryStore(), { blocks: [slow] });
      const { run } = await settle(
        flow({ id: "a", type: "Slow", inputs: { ms: one! } }, { id: "b", type: "Slow", inputs: { ms: other! } }),
        executor,
      );
      expect(wavesOf(run.getSnapshot())).toEqual([
        ["a", "b"],
        ["of_a", "of_b"],
      ]);
    }
  });

  test("are added by items too, each for itself", async () => {
    const each = defineBlock({
      type: "Each",
      execute({ inputs, add, item }) {
        add(echo(`for_${(inputs as { name: string }).name}_${item!.index}`));
        return success({});
      },
    });
    const { run } = await settle(
      flow({ id: "a", type: "Each", forEach: ["x", "y"], inputs: { name: "${each.value}" } }),
      executorOn(memoryStore(), { blocks: [each] }),
    );
    expect(wavesOf(run.getSnapshot())).toEqual([["a"], ["for_x_0", "for_y_1"]]);
  });

  test("stand with their full definition in the entry of the step", async () => {
    const store = memoryStore();
    const { run } = await settle(flow(adder("a", [echo("b")])), executorOn(store));
    const entries = (await store.read(run.id)).map((text) => JSON.parse(text) as { readonly type: string; readonly added?: unknown });
    expect(entries.filter(({ added }) => added)).toEqual([expect.objectContaining({ type: "completed", block: "a", added: [echo("b")] })]);
  });

  const refused: readonly (readonly [what: string, blocks: readonly unknown[], error: { readonly code: string }])[] = [
    ["an unknown type", [{ id: "b", type: "Nothing" }], { code: "BLOCK_TYPE_UNKNOWN" }],
    ["an unknown dependency", [echo("b", ["nothing"])], { code: "DEPENDENCY_UNKNOWN" }],
    ["an unknown reference", [echo("b", [], "${blocks.nothing.outputs.x}")], { code: "REFERENCE_UNKNOWN" }],
    ["a cycle", [echo("b", ["c"]), echo("c", ["b"])], { code: "DEPENDENCY_CYCLE" }],
    ["an id that is taken", [echo("a")], { code: "ID_DUPLICATE" }],
    ["two of one id", [echo("b"), echo("b")], { code: "ID_DUPLICATE" }],
    ["an unknown key", [{ ...echo("b"), depends: [] }], { code: "KEY_UNKNOWN" }],
    ["a way to a block of the workflow", [{ ...echo("b"), next: ["z"] }], { code: "DEPENDENCY_UNKNOWN" }],
    ["a block of the workflow that undoes it", [{ ...echo("b"), compensate: "z" }], { code: "DEPENDENCY_UNKNOWN" }],
    ["a reference to a secret", [echo("b", [], "${secrets.key}")], { code: "SECRET_MISPLACED" }],
    ["a text", ["b"], { code: "BLOCK_FAILED" }],
  ];
  test.each(refused)("are refused with %s: the step fails, and nothing was added", async (_, blocks, error) => {
    const { run, result } = await settle(flow(adder("a", blocks), echo("z")));
    expect(result).toMatchObject({ status: "failure", error });
    expect(wavesOf(run.getSnapshot())).toEqual([["a", "z"]]);
    expect(result.error?.message).toContain('Block "a"');
  });

  test("see nothing that was added beside the block that adds them", async () => {
    const later = adder("b", [echo("y", ["x"])]);
    const { result } = await settle(flow(adder("a", [echo("x")]), { ...later, inputs: { ...later.inputs, ms: 50 } }));
    expect(result).toMatchObject({ status: "failure", error: { code: "DEPENDENCY_UNKNOWN" } });
    const after = await settle(flow(adder("a", [echo("x")]), adder("b", [echo("y", ["x"])], { dependsOn: ["a"] })));
    expect(after.result).toMatchObject({ status: "success" });
    expect(wavesOf(after.run.getSnapshot())).toEqual([["a"], ["x", "b"], ["y"]]);
  });

  test("have a limit of their own, with a warning before it", async () => {
    const many = defineBlock({
      type: "Many",
      execute({ inputs, add }) {
        add(Array.from({ length: (inputs as { count: number }).count }, (_, i) => echo(`b${i}`)));
        return success({});
      },
    });
    const told: RunEvent[] = [];
    const open = (count: number) =>
      settle(
        flow({ id: "a", type: "Many", inputs: { count } }),
        executorOn(memoryStore(), { blocks: [many], onEvent: (event) => void told.push(event) }),
      );
    expect((await open(1_000)).result).toMatchObject({ status: "success" });
    expect(told.filter(({ type }) => type === "limit")).toMatchObject([{ limit: "addedBlocks", used: 1_000, allowed: 1_000 }]);
    expect((await open(1_001)).result).toMatchObject({ error: { code: "LIMIT_EXCEEDED", details: { limit: 1_000 } } });
  });

  test("are refused to a block that asks or waits after", async () => {
    const { result } = await settle(flow({ id: "a", type: "AsksAfter" }));
    expect(result).toMatchObject({
      status: "failure",
      error: { code: "BLOCK_FAILED", message: expect.stringContaining("added blocks, and then asked or waited") },
    });
  });
});

describe("a run with added blocks", () => {
  const ask: Block = { id: "q", type: "GetInput", inputs: { prompt: "Name?" } };
  const asking = flow(adder("a", [ask, echo("hello", ["q"], "Hello, ${blocks.q.outputs.input_value}")]));

  test("waits for their questions, and goes on in another process", async () => {
    const store = memoryStore();
    const { result } = await settle(asking, executorOn(store));
    expect(result.status).toBe("paused");
    const again = executorOn(store);
    const [head] = (await again.runs.list()).items;
    const run = await again.open(head!.id);
    expect(await run.answer(run.getSnapshot().pauses[0]!.id, "Ada")).toMatchObject({ status: "success" });
    expect((await run.state()).values["hello"]).toMatchObject({ echoed: expect.stringContaining("Ada") });
  });

  test("revises answers to them, and keeps what does not depend on those", async () => {
    const executor = executorOn();
    const { run } = await settle(
      flow(adder("a", [ask, echo("hello", ["q"], "Hello, ${blocks.q.outputs.input_value}"), { ...ask, id: "r", dependsOn: ["hello"] }])),
      executor,
    );
    const first = run.getSnapshot().pauses[0]!.id;
    await run.answer(first, "Ada");
    expect(await run.revise(first, "Grace")).toMatchObject({ status: "paused" });
    expect((await run.state()).values["hello"]).toMatchObject({ echoed: expect.stringContaining("Grace") });
  });

  const shaped = defineBlock({
    type: "Shaped",
    execute({ inputs, add }) {
      const { names } = inputs as { readonly names: string };
      for (const name of names.split(",").filter(Boolean))
        add([
          { ...ask, id: `ask_${name}`, inputs: { prompt: `${name}?` } },
          echo(`say_${name}`, [`ask_${name}`], `\${blocks.ask_${name}.outputs.input_value}`),
        ]);
      return success({});
    },
  });
  const guests = flow(
    { ...ask, id: "names" },
    { id: "a", type: "Shaped", dependsOn: ["names"], inputs: { names: "${blocks.names.outputs.input_value}" } },
  );

  test("loses those of a step that is not kept, and takes over the records of those that it adds again", async () => {
    const ran: string[] = [];
    const executor = executorOn(memoryStore(), {
      blocks: [shaped],
      onEvent: (event) => void (event.type === "recorded" && event.entry.type === "completed" && ran.push(event.entry.block)),
    });
    const { run } = await settle(guests, executor);
    const names = run.getSnapshot().pauses[0]!.id;
    await run.answer(names, "x,y");
    const pauses = run.getSnapshot().pauses;
    await run.answer({ [pauses[0]!.id]: "1", [pauses[1]!.id]: "2" });
    expect(run.getSnapshot().status).toBe("completed");
    const fork = await executor.fork((await executor.checkpoints.list({ run: run.id })).items[0]!.id, { revise: { [names]: "y,z" } });
    ran.length = 0;
    expect(await fork.settled()).toMatchObject({ status: "paused" });
    expect(wavesOf(fork.getSnapshot())).toEqual([["names"], ["a"], ["ask_y", "ask_z"], ["say_y", "say_z"]]);
    expect(fork.getSnapshot().pauses.map(({ prompt }) => prompt)).toEqual(["z?"]);
    expect(await fork.answer(fork.getSnapshot().pauses[0]!.id, "3")).toMatchObject({ status: "success" });
    const { values } = await fork.state();
    expect(Object.keys(values)).toEqual(["names", "a", "ask_y", "say_y", "ask_z", "say_z"]);
    expect(ran).not.toContain("ask_y");
    expect(ran).not.toContain("say_y");
  });

  test("equals a fresh run with the final answers, after any revisions", async () => {
    const answers: { readonly [prompt: string]: string } = { "x?": "1", "y?": "2", "z?": "3" };
    const play = async (lists: readonly string[]) => {
      const { run } = await settle(
        { ...guests, blocks: [...guests.blocks, { ...ask, id: "end", dependsOn: ["a"], inputs: { prompt: "End?" } }] },
        executorOn(memoryStore(), { blocks: [shaped] }),
      );
      const names = run.getSnapshot().pauses[0]!.id;
      const [first, ...rest] = lists as [string, ...string[]];
      await run.answer(names, first);
      for (const list of rest) {
        const next = run.getSnapshot().pauses.find(({ prompt }) => answers[prompt]);
        if (next) await run.answer(next.id, answers[next.prompt]!);
        await run.revise(names, list);
      }
      for (const { id, prompt } of run.getSnapshot().pauses) if (answers[prompt]) await run.answer(id, answers[prompt]);
      return { values: (await run.state()).values as { readonly [id: string]: Value }, waves: wavesOf(run.getSnapshot()) };
    };
    const fresh = await play(["z,x"]);
    for (const lists of [
      ["x", "z,x"],
      ["", "y", "z,x"],
      ["x,y,z", "", "z,x"],
      ["z,x", "x,z", "z,x"],
    ]) {
      const revised = await play(lists);
      expect(revised.waves).toEqual(fresh.waves);
      expect(revised.values).toEqual(fresh.values);
    }
  });

  test("forgets what a block had added with an answer that was changed, before that block is kept", async () => {
    let executions = 0;
    const asksFirst = defineBlock({
      type: "AsksFirst",
      execute() {
        executions += 1;
        return pause({ prompt: "Which?" });
      },
      resume({ response, add }) {
        add(echo(`of_${String(response)}`));
        return success({});
      },
    });
    const { run } = await settle(
      flow({ ...ask, id: "early" }, { id: "a", type: "AsksFirst", dependsOn: ["early"] }, { ...ask, id: "end", dependsOn: ["a"] }),
      executorOn(memoryStore(), { blocks: [asksFirst] }),
    );
    const answered = async (answer: string): Promise<string> => {
      const [open] = run.getSnapshot().pauses;
      expect(await run.answer(open!.id, answer)).toMatchObject({ status: "paused" });
      return open!.id;
    };
    const early = await answered("one");
    const which = await answered("x");
    for (const answer of ["y", "x"]) expect(await run.revise(which, answer)).toMatchObject({ status: "paused" });
    expect(await run.revise(early, "other")).toMatchObject({ status: "paused", pauses: [{ prompt: "Name?" }] });
    expect(wavesOf(run.getSnapshot())).toEqual([["early"], ["a"], ["of_x", "end"]]);
    expect(executions).toBe(1);
  });

  test("does not count where another process changed an answer before that was stored", async () => {
    const store = memoryStore();
    let revise: (() => Promise<unknown>) | undefined;
    let wavesMeanwhile: unknown;
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = defineBlock({
      type: "Held",
      async execute() {
        await released;
        return success({ held: true });
      },
    });
    const commit: Store["commit"] = async (given) => {
      if (revise && given.entries.some((text) => text.includes(`"added"`))) {
        const { revision } = (await store.head(given.run))!;
        void revise();
        revise = undefined;
        while ((await store.head(given.run))!.revision === revision) await new Promise((resolve) => setTimeout(resolve));
        await expect(store.commit(given)).rejects.toMatchObject({ code: "STORE_CONFLICT" });
        setTimeout(() => {
          wavesMeanwhile = wavesOf(run.getSnapshot());
          release!();
        }, 20);
      }
      return store.commit(given);
    };
    const options = { blocks: [adds, held] };
    const { run } = await settle(
      flow(
        { ...ask, id: "early" },
        adder("a", [{ id: "held", type: "Held" }], {
          dependsOn: ["early"],
          inputs: {
            json: JSON.stringify([{ id: "held", type: "Held" }]),
            why: "${blocks.early.outputs.input_value}",
          },
        }),
      ),
      executorOn(Object.assign(Object.create(store) as Store, { commit }), options),
    );
    run.subscribe(() => {});
    const early = run.getSnapshot().pauses[0]!.id;
    const there = await executorOn(store, options).open(run.id);
    revise = () => there.revise(early, "2");
    expect(await run.answer(early, "1")).toMatchObject({ status: "success" });
    expect(revise).toBeUndefined();
    expect(wavesMeanwhile).toEqual([["early"], ["a"]]);
    expect(wavesOf(run.getSnapshot())).toEqual([["early"], ["a"], ["held"]]);
  });

  test("is carried by forks, exports, snapshots and bases", async () => {
    for (const retention of ["full", "latest"] as const) {
      const store = memoryStore();
      const executor = executorOn(store, { policy: { retention } });
      const { run } = await settle(asking, executor);
      const [pause0] = run.getSnapshot().pauses;
      const fork = await executor.fork(pause0!.id);
      await fork.settled();
      expect(await fork.answer(fork.getSnapshot().pauses[0]!.id, "Eve")).toMatchObject({ status: "success" });
      const other = executorOn(memoryStore(), { workflows: [asking] });
      const file = await executor.runs.export(run.id);
      const plain = await other.runs.import(file);
      await expect(plain.resume()).rejects.toMatchObject({ code: "DEFINITION_UNTRUSTED" });
      await other.runs.delete(run.id);
      const taken = await other.runs.import(file, { accept: true });
      expect(await taken.answer(taken.getSnapshot().pauses[0]!.id, "Ada")).toMatchObject({ status: "success" });
      expect((await taken.state()).values["hello"]).toMatchObject({ echoed: expect.stringContaining("Ada") });
    }
  });

  test("moves to another definition with them, where they fit there", async () => {
    const store = memoryStore();
    const { run } = await settle(asking, executorOn(store));
    const wider = { ...asking, blocks: [echo("zero"), ...asking.blocks, echo("more", ["zero"])] };
    const executor = executorOn(store, { workflows: [wider] });
    const moved = await executor.open(run.id);
    expect(await moved.resume({ definition: "latest" })).toMatchObject({ status: "paused" });
    expect(await moved.answer(moved.getSnapshot().pauses[0]!.id, "Ada")).toMatchObject({ status: "success" });
    expect(Object.keys((await moved.state()).values).toSorted()).toEqual(["a", "hello", "more", "q", "zero"]);
    const clash = { ...asking, blocks: [...asking.blocks, echo("hello")] };
    const second = memoryStore();
    const { run: other } = await settle(asking, executorOn(second));
    const refusing = await executorOn(second, { workflows: [clash] }).open(other.id);
    await expect(refusing.resume({ definition: "latest" })).rejects.toMatchObject({ code: "DEFINITION_MISMATCH" });
  });
});
