import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

const flow: Workflow = {
  name: "flow",
  blocks: [
    { id: "a", type: "Work" },
    { id: "b", type: "Ask", dependsOn: ["a"] },
  ],
};

test("the claim of a run is released, whichever read fails", async () => {
  const probe = faultyStore(memoryStore());
  const host = fakeHost({ autoAdvance: true });
  await (await createExecutor({ store: probe, host, workflows: [flow], blocks: workshop().blocks }).start("flow")).settled();
  expect(probe.reads).toBeGreaterThan(1);
  for (let read = 1; read <= probe.reads; read += 1) {
    const store = memoryStore();
    const faulty = faultyStore(store, failAt(read, { calls: "reads" }));
    const executor = createExecutor({ store: faulty, host, workflows: [flow], blocks: workshop().blocks });
    await executor
      .start("flow", {}, { id: "taken" })
      .then((run) => run.settled())
      .catch(() => {});
    expect(await store.claim("run_taken"), `read ${read}`).toBeDefined();
  }
});
