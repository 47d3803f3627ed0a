import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type ExecutorOptions, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

function workflow(blocks: readonly Block[], outputs: Workflow["outputs"] = {}, inputs: Workflow["inputs"] = {}): Workflow {
  return { name: "flow", blocks, outputs, inputs };
}

function executorFor(flow: Workflow, options: Partial<ExecutorOptions> = {}) {
  return createExecutor({ store: memoryStore(), host: fakeHost({ autoAdvance: true }), workflows: [flow], ...options });
}

const each = (over: Partial<Block> = {}): Block => ({
  id: "each",
  type: "Work",
  forEach: "${inputs.list}",
  inputs: { value: "${each.value}" },
  ...over,
});

const LIST = { list: { type: "array" } } as const;

describe("the items of a block", () => {
  test("give their results in the order of the list, whichever finished first", async () => {
    const { blocks, ended } = workshop();
    const flow = workflow(
      [each({ inputs: { ms: "${each.value}", value: "${each.index}: ${each.value}" } })],
      { all: "${blocks.each.outputs}" },
      LIST,
    );
    const run = await executorFor(flow, { blocks }).start("flow", { list: [30, 10, 20] });
    expect(await run.settled()).toMatchObject({
      outputs: { all: { results: [{ value: "0: 30" }, { value: "1: 10" }, { value: "2: 20" }], keys: ["0", "1", "2"], count: 3 } },
    });
    expect(ended).toEqual(["each[1]", "each[2]", "each[0]"]);
  });

  test("are in the view, each with what became of it; the block is in it once", async () => {
    const { blocks } = workshop();
    const flow = workflow([each({ inputs: { fails: "${each.value}", value: 1 }, continueOnError: true })], {}, LIST);
    const run = await executorFor(flow, { blocks }).start("flow", { list: [0, 1] });
    await run.settled();
    expect(run.getSnapshot().waves[0]!.blocks).toMatchObject([
      {
        id: "each",
        status: "failed",
        error: { message: expect.stringContaining('Item "1" failed') },
        items: [
          { key: "0", status: "completed" },
          { key: "1", status: "failed", error: { message: expect.stringContaining("each[1] failed in attempt 1") } },
        ],
      },
    ]);
    expect((await run.steps()).map(({ block, item, status }) => [block, item, status])).toEqual([
      ["each", 0, "completed"],
      ["each", 1, "failed"],
      ["each", undefined, "failed"],
    ]);
  });

  test("see their place and their member wherever inputs are nested, and a block beside them does not", async () => {
    const { blocks } = workshop();
    const flow = workflow(
      [
        each({
          forEach: { north: { deep: [1, 2] }, south: { deep: [3, 4] } },
          inputs: {
            value: { list: ["${each.value.deep[1]}", { key: "${each.key}" }], text: "${each.index}/${each.count} ${each.value.deep}" },
          },
        }),
      ],
      { all: "${blocks.each.outputs.results}", keys: "${blocks.each.outputs.keys}" },
    );
    const run = await executorFor(flow, { blocks }).start("flow");
    expect(await run.settled()).toMatchObject({
      outputs: {
        keys: ["north", "south"],
        all: [{ value: { list: [2, { key: "north" }], text: "0/2 [1,2]" } }, { value: { list: [4, { key: "south" }], text: "1/2 [3,4]" } }],
      },
    });
  });

  test("are none of an empty list or object: the block is skipped, and says why", async () => {
    const { blocks, began } = workshop();
    const flow = workflow([each(), each({ id: "object", forEach: {} })], {}, LIST);
    const run = await executorFor(flow, { blocks }).start("flow", { list: [] });
    expect((await run.settled()).status).toBe("success");
    expect((await run.steps()).map(({ block, status, skipped }) => [block, status, skipped])).toEqual([
      ["each", "skipped", { kind: "empty" }],
      ["object", "skipped", { kind: "empty" }],
    ]);
    expect(began).toEqual([]);
  });

  test.each([
    ["half a number", 1.5],
    ["too high a count", 10_001],
    ["a text", "abc"],
    ["nothing", null],
  ])("cannot come from %s: the block fails, and is not tried again", async (_, value) => {
    const { blocks, began } = workshop();
    const flow = workflow([each({ forEach: "${inputs.box.of}", retry: { maxAttempts: 3 } })], {}, { box: { type: "object" } });
    const run = await executorFor(flow, { blocks }).start("flow", { box: { of: value } });
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "EACH_INVALID", details: { block: "each" } } });
    expect(began).toEqual([]);
    expect((await run.steps()).map(({ attempts }) => attempts)).toEqual([undefined]);
  });

  test("are at most 10,000", async () => {
    const { blocks, began } = workshop();
    const run = await executorFor(workflow([each()], {}, LIST), { blocks }).start("flow", {
      list: Array.from({ length: 10_001 }, () => 0),
    });
    expect(await run.settled()).toMatchObject({ error: { code: "EACH_INVALID", details: { count: 10_001, limit: 10_000 } } });
    expect(began).toEqual([]);
  });

  test("that fail let the others finish; the run fails with the first of them", async () => {
    const { blocks, ended } = workshop();
    const flow = workflow([each({ inputs: { fails: "${each.value}", ms: "${each.index}0" } })], {}, LIST);
    const run = await executorFor(flow, { blocks }).start("flow", { list: [0, 1, 0, 1] });
    expect(await run.settled()).toMatchObject({
      status: "failure",
      error: { code: "BLOCK_FAILED", message: expect.stringContaining('Item "1" failed'), details: { block: "each", item: 1, failed: 2 } },
    });
    expect(ended).toHaveLength(4);
  });

  test("that failed run again when the run is resumed, and only they", async () => {
    const { blocks, began, mend } = workshop();
    const flow = workflow(
      [each({ inputs: { fails: "${each.value}", value: "${each.index}" } })],
      { all: "${blocks.each.outputs.results}" },
      LIST,
    );
    const run = await executorFor(flow, { blocks }).start("flow", { list: [0, 1, 0, 1] });
    expect((await run.settled()).status).toBe("failure");
    const before = began.length;
    mend();
    expect(await run.resume()).toMatchObject({
      status: "success",
      outputs: { all: [{ value: 0 }, { value: 1 }, { value: 2 }, { value: 3 }] },
    });
    expect(began.slice(before)).toEqual(["each[1]", "each[3]"]);
  });
});

describe("items at the same time", () => {
  test("are no more than max_parallel, also when they are tried again and when they go on with answers", async () => {
    const { blocks, most, began } = workshop();
    const flow = workflow(
      [
        each({ inputs: { ms: 10, fails: "${each.value}" }, maxParallel: 2, retry: { maxAttempts: 3, delayMs: 5, backoff: 1 } }),
        each({
          id: "ask",
          type: "Ask",
          inputs: { ms: 10, fails: "${each.value}" },
          maxParallel: 3,
          retry: { maxAttempts: 3, delayMs: 5, backoff: 1 },
        }),
      ],
      {},
      LIST,
    );
    const store = memoryStore();
    const run = await executorFor(flow, { blocks, store }).start("flow", { list: [1, 0, 2, 1, 0, 1] });
    const { pauses } = await run.settled();
    expect(most("each")).toBe(2);
    expect(pauses).toHaveLength(6);
    // Each has the run open before the first answer: one that opened it while another executes would count a possible crash.
    const others = await Promise.all(
      pauses!.map((_, i) => executorFor(flow, { blocks, store, host: fakeHost({ autoAdvance: true, seed: i + 2 }) }).open(run.id)),
    );
    await Promise.all(pauses!.map(({ id }, i) => others[i]!.answer(id, `answer ${i}`)));
    await run.refresh();
    expect(await run.resume()).toMatchObject({ status: "success" });
    expect([most("each"), most("ask")]).toEqual([2, 3]);
    expect(began.filter((name) => name.startsWith("ask[2]"))).toEqual(["ask[2]", "ask[2]", "ask[2]#2", "ask[2]#3"]);
  });

  test("are, with all that runs beside them, no more than the executor allows", async () => {
    const { blocks, most, ended } = workshop();
    const flow = workflow(
      [each({ inputs: { ms: 10 } }), each({ id: "more", inputs: { ms: 7 } }), { id: "single", type: "Work", inputs: { ms: 15 } }],
      {},
      LIST,
    );
    const run = await executorFor(flow, { blocks, maxParallel: 4 }).start("flow", { list: Array.from({ length: 20 }, (_, i) => i) });
    expect((await run.settled()).status).toBe("success");
    expect(most()).toBe(4);
    expect(ended).toHaveLength(41);
  });

  test("take the place of a block beside them that has finished", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const flow = workflow([{ id: "single", type: "Work", inputs: { ms: 10 } }, each({ inputs: { ms: 10 } })], {}, LIST);
    const run = await executorFor(flow, { blocks, host, maxParallel: 2 }).start("flow", { list: [1, 2, 3, 4, 5] });
    await expect.poll(() => host.sleeping).toBe(2);
    await host.advance(10);
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[1]!.items!.filter(({ status }) => status === "running")).toHaveLength(2);
    await host.advance(20);
    expect((await run.settled()).status).toBe("success");
  });

  test("are stopped one by one when the run is cancelled, and what had not begun stays as it was", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const flow = workflow([each({ inputs: { ms: "${each.value}" }, maxParallel: 2 })], {}, LIST);
    const run = await executorFor(flow, { blocks, host }).start("flow", { list: [5, 1_000, 1_000, 1_000] });
    await expect.poll(() => host.sleeping).toBe(2);
    await host.advance(5);
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.items?.[2]!.status).toBe("running");
    expect(await run.cancel()).toMatchObject({ error: { code: "RUN_CANCELLED" } });
    expect(run.getSnapshot().waves[0]!.blocks[0]).toMatchObject({
      status: "stopped",
      items: [{ status: "completed" }, { status: "stopped" }, { status: "stopped" }, { status: "pending" }],
    });
    expect(host.sleeping).toBe(0);
  });
});

describe("many items", () => {
  const counts = { few: 500, many: 5_000 };

  async function play(count: number) {
    const { blocks } = workshop();
    const memory = memoryStore();
    let [commits, bytes, entries] = [0, 0, 0];
    const store: typeof memory = {
      ...memory,
      commit: (commit) => {
        commits += 1;
        entries += commit.entries.length;
        bytes += JSON.stringify(commit.head).length + commit.entries.reduce((sum, entry) => sum + entry.length, 0);
        return memory.commit(commit);
      },
    };
    const flow = workflow([each()], { count: "${blocks.each.outputs.count}" }, { list: { type: "integer" } });
    const nested = { ...flow, blocks: [each({ forEach: Array.from({ length: count }, () => 1) })] };
    const run = await executorFor(nested, { blocks, store }).start("flow", { list: 1 });
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { count } });
    return { commits, bytes, entries, stored: (await store.head(run.id))!.entries };
  }

  test("cost one entry each, of a size that does not grow, and share their commits", async () => {
    const few = await play(counts.few);
    const many = await play(counts.many);
    // The start, the list, the end.
    expect(many.entries).toBe(counts.many + 3);
    expect(many.stored).toBe(many.entries);
    expect(many.bytes / counts.many).toBeLessThan((few.bytes / counts.few) * 1.2);
    expect(many.commits).toBeLessThan(counts.many / 10);
  });

  test("make anew in the view only what changed", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const list = Array.from({ length: 200 }, (_, i) => i);
    const flow = workflow([each({ inputs: { ms: 10 } })], {}, LIST);
    const run = await executorFor(flow, { blocks, host, maxParallel: 1 }).start("flow", { list });
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.items?.[0]!.status).toBe("running");
    const before = run.getSnapshot().waves[0]!.blocks[0]!.items!;
    await host.advance(10);
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.items?.[1]!.status).toBe("running");
    const after = run.getSnapshot().waves[0]!.blocks[0]!.items!;
    expect(Object.isFrozen(after)).toBe(true);
    expect(after.flatMap((item, i) => (item === before[i] ? [] : [i]))).toEqual([0, 1]);
    await run.cancel();
  });
});
