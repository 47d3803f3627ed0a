import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Block, type BlockType, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";

const echo = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "EchoBlock", inputs: { message: id }, ...more });
const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });

/** Chooses what its input says. */
const router: BlockType = defineBlock({
  type: "Router",
  pure: true,
  execute({ inputs, next }) {
    const { ways } = inputs as { readonly ways: string | readonly string[] };
    next(ways);
    return success({ ways });
  },
});
const route = (ways: unknown, more: Partial<Block> = {}): Block => ({
  id: "route",
  type: "Router",
  inputs: { ways: ways as string },
  next: ["left", { to: "right", when: false }],
  ...more,
});

function executor(...blocks: readonly BlockType[]) {
  return createExecutor({ store: memoryStore(), blocks: [router, ...blocks], host: fakeHost({ autoAdvance: true }) });
}

async function statuses(...blocks: readonly Block[]): Promise<readonly string[]> {
  const run = await executor().start(flow(...blocks));
  await run.settled();
  return run.getSnapshot().waves.flatMap((wave) => wave.blocks.map(({ id, status }) => `${id} ${status}`));
}

describe("a block type that chooses what follows", () => {
  test("takes one way, or several", async () => {
    expect(await statuses(route("right"), echo("left"), echo("right"))).toEqual(["route completed", "left skipped", "right completed"]);
    expect(await statuses(route(["right", "left"]), echo("left"), echo("right"))).toEqual([
      "route completed",
      "left completed",
      "right completed",
    ]);
  });

  test("fails with a block that is not in its next, and says which was meant", async () => {
    const run = await executor().start(flow(route("rihgt"), echo("left"), echo("right")));
    expect(await run.settled()).toMatchObject({
      status: "failure",
      error: { code: "DEPENDENCY_UNKNOWN", message: expect.stringContaining('"right"'), details: { suggestion: "right" } },
    });
  });

  test("chooses nothing as an item: its block does by the conditions", async () => {
    expect(await statuses(route("right", { forEach: [1, 2] }), echo("left"), echo("right"))).toContain("right skipped");
  });

  test("chooses again after another answer, and the preview says so", async () => {
    const blocks = [
      ask("which"),
      route("${blocks.which.input_value}", { dependsOn: ["which"] }),
      ask("left"),
      ask("right"),
      ask("sure", { dependsOn: ["left", "right"], join: "any" }),
    ];
    const run = await executor().start(flow(...blocks));
    await run.settled();
    const which = run.getSnapshot().pauses[0]!.id;
    await run.answer(which, "left");
    await run.answer(run.getSnapshot().pauses[0]!.id, "l");
    expect(run.getSnapshot().pauses).toMatchObject([{ path: ["sure"] }]);
    expect(await run.previewRevise(which, "right")).toMatchObject({ asked: ["right"], skipped: ["left"], uncertain: [] });
    expect(await run.revise(which, "right")).toMatchObject({ status: "paused", pauses: [{ path: ["right"] }] });
    await run.answer(run.getSnapshot().pauses[0]!.id, "r");
    expect(run.getSnapshot().pauses).toMatchObject([{ path: ["sure"] }]);
  });

  test("of which it is not known what it chooses leaves open what follows", async () => {
    const opaque = defineBlock({
      type: "Opaque",
      execute({ inputs, next }) {
        next((inputs as { readonly way: string }).way);
        return success({});
      },
    });
    const blocks = [
      ask("which"),
      { id: "route", type: "Opaque", inputs: { way: "${blocks.which.input_value}" }, dependsOn: ["which"], next: ["left", "right"] },
      ask("left"),
      ask("right"),
    ];
    const run = await executor(opaque).start(flow(...blocks));
    await run.settled();
    const which = run.getSnapshot().pauses[0]!.id;
    await run.answer(which, "left");
    expect(await run.previewRevise(which, "right")).toMatchObject({ uncertain: ["left", "right"] });
  });

  test("keeps its choice where what must not run twice is not executed again", async () => {
    let runs = 0;
    const pay = defineBlock({
      type: "Pay",
      effect: "once",
      execute({ next }) {
        runs++;
        next("right");
        return success({});
      },
    });
    const paying: Block = {
      id: "pay",
      type: "Pay",
      inputs: { who: "${blocks.who.input_value}" },
      dependsOn: ["who"],
      next: ["left", "right"],
    };
    const run = await executor(pay).start(flow(ask("who"), paying, echo("left"), ask("right")));
    await run.settled();
    const who = run.getSnapshot().pauses[0]!.id;
    await run.answer(who, "Ada");
    await run.revise(who, "Grace");
    await run.answer(run.getSnapshot().pauses[0]!.id, { outcome: "keep" });
    expect(run.getSnapshot().pauses).toMatchObject([{ path: ["right"] }]);
    expect(runs).toBe(1);
  });
});

describe("a failure that another block follows", () => {
  test("does not fail the run, and is known there", async () => {
    const blocks = [
      echo("a", { type: "Nothing", onFailure: "b" }),
      echo("b", { inputs: { message: "${failure.code}: ${failure.message}" } }),
    ];
    const nothing = defineBlock({ type: "Nothing", execute: () => Promise.reject(new Error("It is out of order.")) });
    const run = await executor(nothing).start({ ...flow(...blocks), outputs: { b: "${blocks.b.echoed}" } });
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { b: "BLOCK_FAILED: It is out of order." } });
  });
});

describe("refused at load", () => {
  const found = (...blocks: readonly Block[]): readonly string[] =>
    checkDefinition(flow(...blocks)).map(({ code, path }) => `${code} ${path}`);

  test.each<[string, readonly Block[], readonly string[]]>([
    ["an unknown block in next", [echo("a", { next: ["b"] })], ["DEPENDENCY_UNKNOWN blocks[0].next[0]"]],
    ["the same with a condition", [echo("a", { next: [{ to: "b", when: true }] })], ["DEPENDENCY_UNKNOWN blocks[0].next[0].to"]],
    ["an unknown block for failures", [echo("a", { onFailure: "b" })], ["DEPENDENCY_UNKNOWN blocks[0].onFailure"]],
    ["itself", [echo("a", { onFailure: "a" })], ["DEPENDENCY_CYCLE blocks[0].onFailure"]],
    ["what comes before", [echo("a"), echo("b", { dependsOn: ["a"], next: ["a"] })], ["DEPENDENCY_CYCLE blocks[1].next[0]"]],
    ["no way at all", [echo("a", { next: [] })], ["SCHEMA_INVALID blocks[0].next"]],
    ["too many", [echo("a", { next: Array.from({ length: 101 }, () => "b") }), echo("b")], ["LIMIT_EXCEEDED blocks[0].next"]],
    ["a block both ways", [echo("a", { next: ["b"], onFailure: "b" }), echo("b")], ["SCHEMA_INVALID blocks[0].onFailure"]],
    [
      "a condition on what comes later",
      [echo("a", { next: [{ to: "b", when: "${blocks.b.echoed}" }] }), echo("b")],
      ["REFERENCE_TOO_EARLY blocks[0].next[0].when"],
    ],
    [
      "a condition that is none",
      [echo("a", { next: [{ to: "b", when: "1 +" }] }), echo("b")],
      ["EXPRESSION_SYNTAX blocks[0].next[0].when"],
    ],
    [
      "a member of a failure's text",
      [echo("a", { onFailure: "b" }), echo("b", { inputs: { message: "${failure.code.x}" } })],
      ["REFERENCE_UNKNOWN blocks[1].inputs.message"],
    ],
  ])("%s", (_, blocks, problems) => {
    expect(found(...blocks)).toEqual(problems);
  });
});
