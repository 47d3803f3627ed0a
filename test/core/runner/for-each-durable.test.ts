import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type ExecutorOptions, type RunEvent, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

let seed = 1;

/** An executor of its own, as another process or tab would have one. */
function executorFor(store: Store, workflows: readonly Workflow[], options: Partial<ExecutorOptions> = {}) {
  return createExecutor({
    store,
    workflows,
    host: fakeHost({ autoAdvance: true, seed: (seed += 1) }),
    policy: { durability: "sync" },
    ...options,
  });
}

function workflow(blocks: readonly Block[], outputs: Workflow["outputs"] = {}): Workflow {
  return { name: "flow", blocks, outputs, inputs: { list: { type: "array", default: ["a", "b", "c"] } } };
}

const asking: Block = { id: "each", type: "Ask", forEach: "${inputs.list}", inputs: { prompt: "${each.value}?" } };
const ANSWERS = { first: "${blocks.each.outputs.results[0].answer}", all: "${blocks.each.outputs.results}" };

describe("questions of items", () => {
  test("stand beside each other in the order of the list, each under its own name", async () => {
    const { blocks } = workshop();
    const run = await executorFor(memoryStore(), [workflow([asking])], { blocks }).start("flow");
    const { pauses } = await run.settled();
    expect(pauses!.map(({ path, prompt }) => [path, prompt])).toEqual([
      [["each[0]"], "a?"],
      [["each[1]"], "b?"],
      [["each[2]"], "c?"],
    ]);
    expect(run.getSnapshot()).toMatchObject({
      status: "paused",
      waves: [{ blocks: [{ status: "paused", items: [{ status: "paused" }, { status: "paused" }, { status: "paused" }] }] }],
    });
  });

  test("are answered in any order, by several executors, and no item runs again", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const flow = workflow([asking, { id: "beside", type: "Work" }], ANSWERS);
    const run = await executorFor(store, [flow], { blocks }).start("flow");
    const { pauses } = await run.settled();
    for (const i of [2, 0]) {
      const result = await executorFor(store, [], { blocks }).answer(pauses![i]!.id, `answer ${i}`);
      expect(result.status).toBe("paused");
    }
    const last = await executorFor(store, [], { blocks }).answer(pauses![1]!.id, "answer 1");
    expect(last).toMatchObject({ outputs: { all: [{ answer: "answer 0" }, { answer: "answer 1" }, { answer: "answer 2" }] } });
    expect(began.toSorted()).toEqual(["beside", ...["each[0]", "each[1]", "each[2]"].flatMap((name) => [name, name])]);
  });

  test("keep what finished beside them: after a fork from one of them only that item and what follows run", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const executor = executorFor(store, [workflow([asking, { id: "after", type: "Work", dependsOn: ["each"] }], ANSWERS)], { blocks });
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    const ids = pauses!.map(({ id }) => id);
    await run.answer({ [ids[0]!]: "one", [ids[1]!]: "two" });
    await run.answer(ids[2]!, "three");
    const before = began.length;
    // The other two were answered while it was open.
    expect(await executor.resume(ids[2]!, "another", { fork: true })).toMatchObject({
      outputs: { all: [{ answer: "one" }, { answer: "two" }, { answer: "another" }] },
    });
    expect(began.slice(before)).toEqual(["each[2]", "after"]);
    expect(await run.settled()).toMatchObject({ outputs: { all: [{ answer: "one" }, { answer: "two" }, { answer: "three" }] } });
  });

  test("do not keep an item that failed from running again when the run is resumed", async () => {
    const { blocks, mend } = workshop();
    const store = memoryStore();
    const flow = workflow([asking, { id: "broken", type: "Work", inputs: { fails: 1 } }]);
    const mixed = { ...flow, blocks: [{ ...asking, inputs: { prompt: "?", fails: 1 } }, flow.blocks[1]!] };
    const run = await executorFor(store, [mixed], { blocks }).start("flow");
    expect((await run.settled()).status).toBe("failure");
    const [open] = run.getSnapshot().pauses;
    // The answer makes the run go on: what is broken runs again too.
    await run.answer(open!.id, "x");
    mend();
    const result = await run.resume();
    expect(result.status).toBe("paused");
    const left = Object.fromEntries(result.pauses!.map(({ id }) => [id, "y"]));
    expect(await run.answer(left)).toMatchObject({ status: "success" });
  });
});

describe("after a crash", () => {
  test("only items without a record run, under the same keys", async () => {
    const { blocks, began, ended, keys } = workshop();
    const store = memoryStore();
    const flow = workflow([{ ...asking, type: "Work", inputs: { ms: "${each.value}" }, maxParallel: 2 }]);
    const host = fakeHost();
    const crashed = executorFor(store, [flow], { blocks, host });
    const run = await crashed.start("flow", { list: [10, 50, 10, 10] });
    await expect.poll(() => host.sleeping).toBe(2);
    await host.advance(10);
    await expect.poll(() => began).toEqual(["each[0]", "each[1]", "each[2]"]);
    await crashed.close();
    const [kept, firstKeys] = [[...ended], [...keys]];
    expect(kept).toEqual(["each[0]"]);
    const again = await executorFor(store, [], { blocks }).open(run.id);
    expect(again.getSnapshot().waves[0]!.blocks[0]!.items!.map(({ status }) => status)).toEqual([
      "completed",
      "pending",
      "pending",
      "pending",
    ]);
    expect(await again.resume()).toMatchObject({ status: "success" });
    // Nothing tells the last one, which had not begun, from those that had.
    expect(began.slice(3)).toEqual(["each[1]#2", "each[2]#2", "each[3]#2"]);
    expect(keys.slice(3, 5)).toEqual(firstKeys.slice(1));
    expect(new Set(keys)).toEqual(new Set([0, 1, 2, 3].map((item) => `${run.id}/each[${item}]`)));
  });

  test("a block may learn that it may have run; one that begins later cannot have", async () => {
    const told: [string, boolean][] = [];
    const { blocks } = workshop();
    const tell = {
      ...blocks[0]!,
      type: "Tell",
      execute: (context: never) => {
        const { block, item, mayHaveRun } = context as { block: string; item?: { index: number }; mayHaveRun: boolean };
        told.push([item ? `${block}[${item.index}]` : block, mayHaveRun]);
        return blocks[0]!.execute(context);
      },
    };
    const store = memoryStore();
    const flow = workflow([
      { ...asking, type: "Tell", inputs: { ms: "${each.value}" } },
      { id: "after", type: "Tell", dependsOn: ["each"] },
    ]);
    const host = fakeHost();
    const crashed = executorFor(store, [flow], { blocks: [tell], host });
    const run = await crashed.start("flow", { list: [10, 20] });
    await expect.poll(() => host.sleeping).toBe(2);
    await host.advance(10);
    await expect.poll(async () => (await store.head(run.id))!.entries).toBe(3);
    await crashed.close();
    await (await executorFor(store, [], { blocks: [tell] }).open(run.id)).resume();
    expect(told).toEqual([
      ["each[0]", false],
      ["each[1]", false],
      ["each[1]", true],
      ["after", false],
    ]);
  });

  test("a write that fails while items run begins no more of them", async () => {
    const { blocks, began } = workshop();
    const memory = memoryStore();
    let isFull = false;
    const store: Store = {
      ...memory,
      commit: async (commit) => {
        if (isFull) throw Object.assign(new Error("full"), { code: "STORE_QUOTA" });
        return memory.commit(commit);
      },
    };
    const host = fakeHost();
    const flow = workflow([{ ...asking, type: "Work", inputs: { ms: 10 }, maxParallel: 1 }]);
    const run = await executorFor(store, [flow], { blocks, host }).start("flow", { list: [1, 2, 3, 4, 5] });
    await expect.poll(() => host.sleeping).toBe(1);
    isFull = true;
    const settled = run.settled().catch((error: unknown) => error);
    let ended: unknown;
    void settled.then((error) => (ended = error));
    // The second item may begin before the write of the first one fails.
    await expect.poll(() => host.advance(10).then(() => ended)).toBeDefined();
    expect(ended).toEqual(expect.objectContaining({ message: "full" }));
    expect(began.length).toBeLessThanOrEqual(2);
  });
});

describe("workflows called for each item", () => {
  const kid: Workflow = {
    name: "kid",
    inputs: { name: { type: "string" } },
    blocks: [
      { id: "greet", type: "Work", inputs: { value: "hello ${inputs.name}" } },
      { id: "ask", type: "Ask", inputs: { prompt: "How old is ${inputs.name}?" }, dependsOn: ["greet"] },
    ],
    outputs: { age: "${blocks.ask.outputs.answer}", text: "${blocks.greet.outputs.value}" },
  };
  const flow: Workflow = {
    name: "flow",
    blocks: [
      {
        id: "each",
        type: "ExecuteWorkflow",
        forEach: ["Ada", "Grace"],
        inputs: { workflow: "kid", inputs: { name: "${each.value}" } },
      },
    ],
    outputs: { first: "${blocks.each.outputs.results[0].age}", second: "${blocks.each.outputs.results[1].text}" },
  };

  test("are runs of their own, found by the item, and their questions are asked with the item in the path", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const executor = executorFor(store, [flow, kid], { blocks });
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    expect(pauses!.map(({ path, prompt }) => [path.join("/"), prompt])).toEqual([
      ["each[0]/ask", "How old is Ada?"],
      ["each[1]/ask", "How old is Grace?"],
    ]);
    const child = await executor.open(`${run.id}/each[1]`);
    expect(child.getSnapshot()).toMatchObject({ inputs: { name: "Grace" }, parent: { run: run.id, block: "each[1]" }, status: "paused" });
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.items![1]!.child).toBe(child.id);
    // One is answered at the child, one at the caller.
    await child.answer(child.getSnapshot().pauses[0]!.id, "85");
    expect(run.getSnapshot().pauses.map(({ path }) => path[0])).toEqual(["each[0]"]);
    expect(await executorFor(store, [], { blocks }).answer(pauses![0]!.id, "36")).toMatchObject({
      outputs: { first: "36", second: "hello Grace" },
    });
    expect(began.filter((name) => name === "greet")).toHaveLength(2);
  });

  test("may call for each item themselves", async () => {
    const { blocks } = workshop();
    const leaf: Workflow = {
      name: "leaf",
      inputs: { text: { type: "string" } },
      blocks: [{ id: "work", type: "Work", inputs: { value: "<${inputs.text}>" } }],
      outputs: { text: "${blocks.work.outputs.value}" },
    };
    const middle: Workflow = {
      name: "middle",
      inputs: { list: { type: "array" } },
      blocks: [
        {
          id: "inner",
          type: "ExecuteWorkflow",
          forEach: "${inputs.list}",
          inputs: { workflow: "leaf", inputs: { text: "${each.value}" } },
        },
      ],
      outputs: { all: "${blocks.inner.outputs.results}" },
    };
    const outer: Workflow = {
      name: "outer",
      blocks: [
        {
          id: "rows",
          type: "ExecuteWorkflow",
          forEach: [
            ["a", "b"],
            ["c", "d"],
          ],
          inputs: { workflow: "middle", inputs: { list: "${each.value}" } },
        },
      ],
      outputs: { d: "${blocks.rows.outputs.results[1].all[1].text}" },
    };
    const executor = executorFor(memoryStore(), [outer, middle, leaf], { blocks });
    const run = await executor.start("outer");
    expect(await run.settled()).toMatchObject({ outputs: { d: "<d>" } });
    expect((await executor.open(`${run.id}/rows[1]/inner[0]`)).getSnapshot().inputs).toEqual({ text: "c" });
  });

  test("end with their caller: cancelling it cancels them, deleting it deletes them", async () => {
    const { blocks } = workshop();
    const store = memoryStore();
    const executor = executorFor(store, [flow, kid], { blocks });
    const run = await executor.start("flow");
    await run.settled();
    const child = await executor.open(`${run.id}/each[0]`);
    await run.cancel();
    await child.refresh();
    expect(child.getSnapshot().status).toBe("cancelled");
    await executor.runs.delete(run.id);
    expect((await store.runs()).items).toEqual([]);
  });
});

test("events tell of which item they are", async () => {
  const events: RunEvent[] = [];
  const { blocks } = workshop();
  const talk = {
    ...blocks[0]!,
    type: "Talk",
    execute: (context: never) => {
      (context as { output: (stream: string, text: string) => void }).output("stdout", "working");
      return blocks[0]!.execute(context);
    },
  };
  const flow = workflow([{ id: "each", type: "Talk", forEach: [1, 2] }]);
  const run = await executorFor(memoryStore(), [flow], { blocks: [talk], onEvent: (event) => events.push(event) }).start("flow");
  await run.settled();
  expect(events.flatMap((event) => (event.type === "output" ? [[event.block, event.item, event.text]] : []))).toEqual([
    ["each", 0, "working"],
    ["each", 1, "working"],
  ]);
  expect(events.flatMap((event) => (event.type === "recorded" && event.entry.type === "completed" ? [event.entry.item] : []))).toEqual([
    0, 1,
  ]);
});
