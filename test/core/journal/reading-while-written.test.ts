import { expect, test } from "vitest";
import { createExecutor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const ask = (id: string, ...dependsOn: string[]) => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, dependsOn });
const flow: Workflow = { name: "flow", blocks: [ask("a"), ask("b", "a"), ask("c", "b")] };
const policy = { retention: "latest" } as const;

test("a run that is read while another executor writes it and drops its past is read again, not called damaged", async () => {
  const store = memoryStore();
  const run = await createExecutor({ store, workflows: [flow], policy }).start("flow");
  const [first] = (await run.settled()).pauses!;
  let answers = 0;
  const slow: Store = {
    ...store,
    async read(id, range) {
      if (answers === 0) {
        answers += 1;
        await run.answer(first!.id, "Ada");
      }
      return store.read(id, range);
    },
  };
  const reader = await createExecutor({ store: slow, workflows: [flow], policy }).open(run.id);
  expect(answers).toBe(1);
  expect(reader.getSnapshot().pauses.map(({ prompt }) => prompt)).toEqual(["b?"]);
});
