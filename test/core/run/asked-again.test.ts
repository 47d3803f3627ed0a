import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Block, type CheckpointPolicy, type Executor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
/** Takes only "open sesame", though any text fits its question. */
const gate = defineBlock({
  type: "Gate",
  execute: () => pause({ prompt: "The word?" }),
  resume: ({ response }) =>
    response === "open sesame" ? success({}) : { status: "invalid", error: { code: "RESPONSE_INVALID", message: "Not that." } },
});
const guarded: Workflow = { name: "guarded", blocks: [{ id: "gate", type: "Gate" }] };
const trip: Workflow = {
  name: "trip",
  blocks: [
    ask("where"),
    ask("when", { dependsOn: ["where"], inputs: { prompt: "When in ${blocks.where.input_value}?" } }),
    ask("who", { dependsOn: ["when"] }),
    ask("sure", { dependsOn: ["who"] }),
  ],
};
const calling: Workflow = { name: "calling", blocks: [{ id: "part", type: "ExecuteWorkflow", inputs: { workflow: "trip" } }] };

function setUp(policy: Partial<CheckpointPolicy> = {}) {
  const store = memoryStore();
  const host = fakeHost();
  let seed = 1;
  const parts = { store, workflows: [guarded, trip, calling], blocks: [gate], policy };
  const elsewhere = (): Executor => createExecutor({ ...parts, host: fakeHost({ seed: (seed += 1) }) });
  return { executor: createExecutor({ ...parts, host }), elsewhere, host };
}

describe("a question", () => {
  test.each([{}, { retention: "latest" }] as const)("that is shown again says how often, first and last, with %j", async (policy) => {
    const { executor, elsewhere, host } = setUp(policy);
    const run = await executor.start("guarded");
    const { pauses } = await run.settled();
    const [{ id, askedAt } = { id: "", askedAt: 0 }] = pauses!;
    expect(pauses![0]).not.toHaveProperty("again");
    for (const times of [2, 3]) {
      await host.advance(1_000);
      expect(await run.answer(id, "open")).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
      const again = { times, firstAt: askedAt, lastAt: askedAt + (times - 1) * 1_000 };
      expect(run.getSnapshot().pauses).toMatchObject([{ id, askedAt, again }]);
      expect((await elsewhere().open(run.id)).getSnapshot().pauses).toMatchObject([{ id, again }]);
    }
    // What does not fit the question was never taken.
    expect(await run.answer(id, 7)).toMatchObject({ status: "failure" });
    expect(run.getSnapshot().pauses).toMatchObject([{ again: { times: 3 } }]);
    expect(await run.answer(id, "open sesame")).toMatchObject({ status: "success" });
  });

  test("that a revision or a step back opens again does so, and what no one was shown is not counted", async () => {
    const { executor, elsewhere, host } = setUp();
    const run = await executor.start("trip");
    const shown = () => run.getSnapshot().pauses.map(({ path, again }) => [path.at(-1), again?.times ?? 1]);
    const reply = async (text: string) => run.answer(run.getSnapshot().pauses[0]!.id, text);
    await run.settled();
    const where = run.getSnapshot().pauses[0]!;
    await reply("Rome");
    const { askedAt: firstAt } = run.getSnapshot().pauses[0]!;
    await reply("May");
    await reply("Ada");
    expect(shown()).toEqual([["sure", 1]]);
    await host.advance(500);
    await run.revise(where.id, "Oslo");
    expect(run.getSnapshot().pauses).toMatchObject([{ path: ["when"], again: { times: 2, firstAt, lastAt: firstAt + 500 } }]);
    expect((await elsewhere().open(run.id)).getSnapshot().pauses).toMatchObject([{ again: { times: 2, firstAt } }]);
    // The answer to "who" holds on, and "sure" was never taken back for good.
    await reply("June");
    expect(shown()).toEqual([["sure", 1]]);
    await run.back();
    expect(shown()).toEqual([["who", 2]]);
    await run.back();
    expect(shown()).toEqual([["when", 3]]);
    await run.back();
    expect(shown()).toEqual([["where", 2]]);
  });

  test("of a called run says so where it is called, too", async () => {
    const { executor, host } = setUp();
    const run = await executor.start("calling");
    await run.settled();
    const { id, askedAt } = run.getSnapshot().pauses[0]!;
    await host.advance(700);
    await run.answer(id, "Rome");
    await run.back();
    expect(run.getSnapshot().pauses).toMatchObject([{ again: { times: 2, firstAt: askedAt, lastAt: askedAt + 700 } }]);
  });
});
