import { expect, test, vi } from "vitest";
import { createExecutor, type RunResult, type Value, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const loaded: string[] = [];
vi.mock("../../../src/core/runner/acting-blocks.ts", (load) => note("acting blocks", load));
vi.mock("../../../src/core/machine/fold-added.ts", (load) => note("added blocks", load));

async function note(part: string, load: () => Promise<object>): Promise<object> {
  loaded.push(part);
  return load();
}

async function play(workflow: Workflow, answers: readonly Value[]): Promise<RunResult> {
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow] });
  const run = await executor.start(workflow.name);
  let result: RunResult = await run.settled();
  for (const answer of answers) result = await run.answer(result.pauses![0]!.id, answer);
  await executor.close();
  return result;
}

test("a wizard of forms loads nothing that only blocks need that do more", async () => {
  const wizard: Workflow = {
    name: "wizard",
    blocks: [
      { id: "who", type: "Form", inputs: { prompt: "Who?", fields: [{ name: "name" }] } },
      {
        id: "letter",
        type: "PopulateTemplate",
        dependsOn: ["who"],
        inputs: { template: "Dear {{ name }}", variables: { name: "${blocks.who.name}" } },
      },
      { id: "sure", type: "ConfirmOperation", dependsOn: ["letter"], inputs: { message: "Send it?" } },
    ],
  };
  expect(await play(wizard, [{ name: "Ada" }, "yes"])).toMatchObject({ status: "success" });
  expect(loaded).toEqual([]);
});

test("a result that is kept for other runs is, of a block that only says something too", async () => {
  const cached: Workflow = {
    name: "cached",
    blocks: [{ id: "say", type: "EchoBlock", inputs: { message: "Hello" }, cache: { ttlMs: 1_000 } }],
  };
  expect(await play(cached, [])).toMatchObject({ status: "success" });
  expect(loaded).toEqual(["acting blocks"]);
});
