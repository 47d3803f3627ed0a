import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const form = (field: Workflow["blocks"][number]["inputs"]): Workflow => ({
  name: "costs",
  blocks: [
    { id: "form", type: "Form", inputs: { prompt: "Costs over $${5}", fields: [{ text: "That is $${5}." }, { name: "a", ...field }] } },
  ],
});
const start = (field: Workflow["blocks"][number]["inputs"]) => createExecutor({ store: memoryStore() }).start(form(field));

test("inputs with a literal ${ are checked as all others before anything runs", async () => {
  const wrong = start({ pattern: "(" });
  await expect(wrong).rejects.toMatchObject({ code: "PATTERN_INVALID", place: { path: "blocks[0].inputs.fields" } });
});

test("by what the block gets: a single dollar sign", async () => {
  const run = await start({ enum: ["$${5}"], default: "$${5}" });
  const { pauses } = await run.settled();
  expect(pauses![0]!.schema.properties!["a"]).toMatchObject({ enum: ["${5}"], default: "${5}" });
});
