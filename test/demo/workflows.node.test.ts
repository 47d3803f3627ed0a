import { readdirSync, readFileSync } from "node:fs";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { expect, test } from "vitest";
import { agentEquipment } from "../../demo/agent/equipment.ts";
import { demoBlockTypes } from "../../demo/engine/block-types.ts";
import { openEffects } from "../../demo/engine/effects.ts";

const folder = new URL("../../demo/workflows/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
const texts = files.map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));

const effects = openEffects();
const { grants, ...agents } = agentEquipment(effects);
const blocks = [...demoBlockTypes(effects), ...agents.blocks];

test("there are example workflows", () => {
  expect(files.length).toBeGreaterThanOrEqual(6);
});

test.each(texts)("$file has neither errors nor warnings", async ({ file, text }) => {
  expect((await checkWorkflow(text, { source: file, blocks })).problems).toEqual([]);
});

test("an executor takes them all, block types and patterns included", async () => {
  const executor = createExecutor({ store: memoryStore(), blocks, grants });
  for (const { file, text } of texts) await executor.load(loadWorkflow(text, { source: file }));
  await expect(executor.runs.list()).resolves.toEqual({ items: [] });
  await executor.close();
});
