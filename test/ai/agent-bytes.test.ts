import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { agentBlocks } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { say, scripted, use } from "./mock-models.ts";

/** Text that does not compress. */
const noise = (length: number, seed: number): string =>
  Array.from({ length }, (_, i) => ((Math.imul(i + 1, 2_654_435_761) ^ Math.imul(seed + 7, 40_503 * (i + 3))) >>> 8) % 36)
    .map((digit) => digit.toString(36))
    .join("");

async function storedBytes(turns: number): Promise<number> {
  const page = defineBlock({
    type: "Page",
    inputs: { jsonSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
    execute: ({ inputs }) => success({ text: noise(2_000, inputs.n) }),
  });
  const good = scripted([...Array.from({ length: turns }, (_, n) => use([String(n), "page", { n }])), say("Read.")]);
  const flow: Workflow = {
    name: "read",
    blocks: [{ id: "agent", type: "Agent", inputs: { models: ["good"], prompt: "Read.", tools: ["page"], max_iterations: 100 } }],
  };
  const store = memoryStore();
  const executor = createExecutor({
    store,
    workflows: [flow],
    blocks: agentBlocks({ tools: { page: { block: page } } }),
    grants: { models: { good } },
  });
  const run = await executor.start("read");
  expect((await run.settled()).status).toBe("success");
  await executor.close();
  return (await store.usage()).bytes!;
}

test("each turn of an agent stores as many bytes as the one before", async () => {
  const [few, more, many] = [await storedBytes(3), await storedBytes(6), await storedBytes(12)];
  const early = (more - few) / 3;
  const late = (many - more) / 6;
  expect(late / early).toBeLessThan(1.15);
  // What a tool gave stands in its step, and in what the model reads.
  expect(late).toBeLessThan(3 * 2_000);
});
