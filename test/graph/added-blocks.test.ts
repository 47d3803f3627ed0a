import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Block, type Workflow } from "wavepoint";
import { graphMermaid, graphSvg, graphText } from "wavepoint/graph";
import { memoryStore } from "wavepoint/store/memory";

const FLOW: Workflow = {
  name: "party",
  inputs: { guests: { type: "array", default: ["ada", "grace"] } },
  blocks: [
    { id: "plan", type: "Guests", inputs: { guests: "${inputs.guests}" } },
    { id: "tidy", type: "EchoBlock", inputs: { message: "done" }, dependsOn: ["plan"] },
  ],
};

/** Adds a letter for each guest, and one block behind all of them that says of itself that it comes after this one. */
const guests = defineBlock({
  type: "Guests",
  execute({ inputs, add }) {
    const names = inputs["guests"] as readonly string[];
    add(names.map((id): Block => ({ id, type: "EchoBlock", inputs: { message: id } })));
    add({ id: "post", type: "EchoBlock", dependsOn: [...names, "plan"], inputs: { message: "post" } });
    return success({});
  },
});

test("a run is drawn with the blocks that were added to it, behind the block that added them", async () => {
  const executor = createExecutor({ store: memoryStore(), workflows: [FLOW], blocks: [guests] });
  const run = await executor.start("party");
  await run.settled();
  const definition = await run.definition();
  expect(definition).toMatchObject({ name: "party", inputs: FLOW.inputs });
  expect(definition.blocks.map(({ id, dependsOn = [] }) => `${id} < ${dependsOn.join(" ")}`)).toEqual([
    "plan < ",
    "tidy < plan",
    "ada < plan",
    "grace < plan",
    "post < ada grace plan",
  ]);
  expect(graphText(definition)).toContain("Wave 2\n  tidy (EchoBlock)\n    after plan\n  ada (EchoBlock)\n    after plan\n");
  expect(graphMermaid(definition).match(/b\d+ --> b\d+/g)).toEqual([
    "b0 --> b1",
    "b0 --> b2",
    "b0 --> b3",
    "b2 --> b4",
    "b3 --> b4",
    "b0 --> b4",
  ]);
  expect(graphSvg(definition)).toContain("grace");
  // It has the waves that the run has.
  const waves = run.getSnapshot().waves.map(({ blocks }) => blocks.map(({ id }) => id));
  expect(waves.map((wave) => wave.toSorted())).toEqual([["plan"], ["ada", "grace", "tidy"], ["post"]]);
});

test("blocks that fell away are not drawn", async () => {
  const flow: Workflow = {
    name: "again",
    blocks: [
      { id: "ask", type: "GetInput", inputs: { prompt: "Who?" } },
      { id: "plan", type: "Guests", inputs: { guests: ["${blocks.ask.outputs.input_value}"] }, dependsOn: ["ask"] },
      { id: "wait", type: "GetInput", inputs: { prompt: "?" }, dependsOn: ["plan"] },
    ],
  };
  const executor = createExecutor({ store: memoryStore(), workflows: [flow], blocks: [guests] });
  const run = await executor.start("again");
  await run.settled();
  await run.answer(run.getSnapshot().pauses[0]!.id, "ada");
  const before = (await run.definition()).blocks.map(({ id }) => id);
  await run.revise((await run.answers())[0]!.pause!, "grace");
  expect([before, (await run.definition()).blocks.map(({ id }) => id)]).toEqual([
    ["ask", "plan", "wait", "ada", "post"],
    ["ask", "plan", "wait", "post", "grace"],
  ]);
  const past = await run.definition({ superstep: 0 });
  expect(past.blocks).toEqual(flow.blocks);
});
