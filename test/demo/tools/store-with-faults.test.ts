import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { NO_FAULTS, type Faults } from "../../../demo/engine/faults.ts";
import { storeWithFaults } from "../../../demo/engine/store-with-faults.ts";

function brokenWorld() {
  let faults: Faults = NO_FAULTS;
  const executor = createExecutor({ store: storeWithFaults(memoryStore(), () => faults) });
  const ask = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Your name?" } }] };
  return { executor, ask, pretend: (next: Partial<Faults>) => (faults = { ...NO_FAULTS, ...next }) };
}

test("with a full store an answer is refused, and taken once there is room", async () => {
  const { executor, ask, pretend } = brokenWorld();
  const run = await executor.start(ask);
  await run.settled();
  const [pause] = run.getSnapshot().pauses;
  pretend({ full: true });
  await expect(run.answer(pause!.id, "Ada")).rejects.toMatchObject({ code: "STORE_QUOTA" });
  pretend({});
  await expect(run.answer(pause!.id, "Ada")).resolves.toMatchObject({ status: "success" });
});

test("a full store can be read, and runs can be deleted", async () => {
  const { executor, ask, pretend } = brokenWorld();
  const run = await executor.start(ask);
  await run.settled();
  pretend({ full: true });
  expect((await executor.runs.list()).items).toHaveLength(1);
  await executor.runs.delete(run.id);
  expect((await executor.runs.list()).items).toHaveLength(0);
});

test("without a database nothing is read or written, and all is there afterwards", async () => {
  const { executor, ask, pretend } = brokenWorld();
  const run = await executor.start(ask);
  await run.settled();
  pretend({ lost: true });
  await expect(executor.runs.list()).rejects.toMatchObject({ code: "STORE_LOST" });
  await expect(executor.start(ask)).rejects.toMatchObject({ code: "STORE_LOST" });
  pretend({});
  expect((await executor.runs.list()).items.map(({ id }) => id)).toEqual([run.id]);
});
