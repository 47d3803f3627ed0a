import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Kept beside the journal. */
const LARGE = new Uint8Array(40_000).fill(7);

const flow = (draw: string, ...more: Workflow["blocks"]): Workflow => ({
  name: "report",
  blocks: [
    { id: draw, type: "Draw" },
    { id: "ask", type: "GetInput", dependsOn: [draw], inputs: { prompt: "Go on?" } },
    ...more,
    { id: "count", type: "Count", dependsOn: ["ask", ...more.map(({ id }) => id)] },
  ],
  outputs: { sizes: "${blocks.count.sizes}", note: `\${blocks.${draw}.files["note.txt"].size}` },
});

let seed = 0;

/** An executor that knows one definition, and how often files were drawn. */
function place(store: Store, workflow: Workflow, drawn: string[] = []) {
  const draw = defineBlock({
    type: "Draw",
    async execute({ block, files }) {
      drawn.push(block);
      await files.write("note.txt", new TextEncoder().encode("a note"));
      await files.write("large.bin", LARGE);
      return success({});
    },
  });
  const count = defineBlock({
    type: "Count",
    async execute({ files }) {
      const sizes: { [name: string]: number } = {};
      for (const { name } of await files.list()) sizes[name] = (await files.read(name)).bytes.length;
      return success({ sizes });
    },
  });
  const migrate = () => ({ blocks: { draw: "paint" } });
  const host = fakeHost({ autoAdvance: true, seed: (seed += 1) });
  return { drawn, executor: createExecutor({ store, host, workflows: [workflow], blocks: [draw, count], migrate }) };
}

test.each([
  ["with a block more", "draw", flow("draw", { id: "extra", type: "EchoBlock", dependsOn: ["ask"], inputs: { message: "more" } })],
  ["with another name for the block that wrote them", "paint", flow("paint")],
])("a run that moves to a definition %s takes its files along", async (_, by, after) => {
  const store = memoryStore();
  const before = place(store, flow("draw"));
  const begun = await before.executor.start("report");
  const { pauses } = await begun.settled();
  await before.executor.close();

  const { executor, drawn } = place(store, after);
  const run = await executor.open(begun.id);
  expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused" });
  expect((await run.files()).map(({ name, size, block }) => `${name} ${size} ${block}`).toSorted()).toEqual([
    `large.bin 40000 ${by}`,
    `note.txt 6 ${by}`,
  ]);
  expect((await run.readFile("large.bin")).bytes).toEqual(LARGE);
  await executor.cleanup({ ttlMs: 1 });
  expect(await run.answer(pauses![0]!.id, "yes")).toMatchObject({
    status: "success",
    outputs: { sizes: { "note.txt": 6, "large.bin": 40_000 }, note: 6 },
  });
  expect(drawn).toEqual([]);
});
