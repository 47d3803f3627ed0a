import { readFileSync } from "node:fs";
import { createExecutor, type Pause, type Value } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import { expect, test } from "vitest";

const workflow = loadWorkflow(readFileSync(new URL("../../demo/workflows/berth-application.yaml", import.meta.url), "utf8"));
const asking = workflow.blocks.filter(({ type }) => type !== "PopulateTemplate");

/** Answers with the first or the last of what there is to choose from. */
function answerTo({ type, path, metadata }: Pause, boat: string, end: "first" | "last"): Value {
  if (path[0] === "boat") return boat;
  if (type === "Form") return { name: "Ada", email: "ada@example.com" };
  if (type === "AskChoice") return (metadata["choices"] as readonly string[]).at(end === "first" ? 0 : -1)!;
  return type === "GetInput" ? "12" : end === "first" || path[0] === "send" ? "yes" : "no";
}

test.each([
  ["Sailing boat", "first", 11],
  ["Sailing boat", "last", 13],
  ["Motor boat", "first", 9],
  ["Motor boat", "last", 11],
  ["Rowing boat", "first", 9],
  ["Rowing boat", "last", 12],
  ["No boat yet", "first", 5],
  ["No boat yet", "last", 4],
] as const)("of thirty questions, %s with the %s of all answers leaves %i", async (boat, end, count) => {
  expect(asking.length).toBe(30);
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow] });
  const run = await executor.start(workflow.name);
  let result = await run.settled();
  let asked = 0;
  for (; result.status === "paused"; asked += 1) {
    const { pauses } = run.getSnapshot();
    expect(pauses.map(({ path }) => path)).toHaveLength(1);
    result = await run.answer(pauses[0]!.id, answerTo(pauses[0]!, boat, end));
  }
  expect(result.status).toBe("success");
  expect(asked).toBe(count);
  await executor.close();
});
