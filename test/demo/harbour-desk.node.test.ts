import { readFileSync } from "node:fs";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { loadWorkflow } from "wavepoint/yaml";
import { expect, test } from "vitest";
import { agentEquipment } from "../../demo/agent/equipment.ts";

const workflow = loadWorkflow(readFileSync(new URL("../../demo/workflows/harbour-desk.yaml", import.meta.url), "utf8"));

test("the harbour desk books nothing that is not allowed, and says why", async () => {
  const booked: string[] = [];
  const effects = { of: async () => [], stamp: async ({ to }: { to: string }) => booked.push(to) > 0 };
  const executor = createExecutor({ store: memoryStore(), ...agentEquipment(effects), host: fakeHost({ autoAdvance: true }) });
  const run = await executor.start(workflow, { wish: "My boat Gull is 7 m long. One night, please, from Sunday." });
  const { pauses } = await run.settled();
  expect(pauses![0]!.metadata["input"]).toEqual({ boat: "Gull", berth: 3, day: "Sunday", nights: 1 });
  const result = await run.answer(pauses![0]!.id, { decision: "deny", reason: "Too far." });
  expect(result.outputs?.["answer"]).toContain("Then I have booked nothing. You said: “Too far.”");
  expect(booked).toEqual([]);
  await executor.close();
});
