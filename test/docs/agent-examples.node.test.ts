import { createExecutor } from "wavepoint";
import { agentBlocks } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import { expect, test } from "vitest";
import { inTurn, say } from "../ai/mock-models.ts";
import { examplesIn } from "./documents.ts";

const agents = { reader: { description: "Reads." }, writer: { description: "Writes." } };

/** What models say, by the block of the example. */
const SAID: { readonly [block: string]: { readonly model: string; readonly said: readonly string[]; readonly outputs: object } } = {
  report: {
    model: "large",
    said: [
      '{"tasks":[{"agent":"reader","prompt":"Read."},{"agent":"writer","prompt":"Sum up."}]}',
      "They like it.",
      "Liked.",
      "Customers like it.",
    ],
    outputs: { text: "Customers like it.", results: ["They like it.", "Liked."] },
  },
  article: {
    model: "small",
    said: ["Draft", "Good.", '{"next":"end"}'],
    outputs: { text: "Good.", path: ["draft", "check"] },
  },
};

const examples = examplesIn("yaml").filter(({ marks }) => marks.includes("agents"));

test("there are examples of agents", () => {
  expect(examples.length).toBe(Object.keys(SAID).length);
});

test.each(examples)("$place runs", async ({ text }) => {
  const workflow = loadWorkflow(`name: fragment\nblocks:\n${text}`);
  const { id } = workflow.blocks[0]!;
  const { model, said, outputs } = SAID[id]!;
  const models = { [model]: inTurn(said.map((one) => say(one))) };
  const executor = createExecutor({ store: memoryStore(), blocks: agentBlocks({ agents }), grants: { models } });
  const run = await executor.start(workflow);
  expect((await run.settled()).status).toBe("success");
  expect((await run.state()).values[id]).toMatchObject(outputs);
});
