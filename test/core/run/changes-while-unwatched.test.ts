import { expect, test } from "vitest";
import { createExecutor, defineWorkflow, type RunView } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const ask = defineWorkflow({ name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Name?" } }] });

test("what another executor did while a run was not looked at is read once it is looked at again", async () => {
  const store = memoryStore();
  const run = await createExecutor({ store, workflows: [ask] }).start("ask");
  const { pauses } = await run.settled();
  run.subscribe(() => {})();
  await createExecutor({ store, workflows: [ask] }).answer(pauses![0]!.id, "Ada");
  const completed = new Promise<RunView>((resolve) => run.subscribe((view) => view.status === "completed" && resolve(view)));
  expect((await completed).pauses).toEqual([]);
});
