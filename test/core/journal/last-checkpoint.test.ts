import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, success, type CheckpointPolicy, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const WORKFLOW: Workflow = {
  name: "trip",
  blocks: [
    { id: "where", type: "GetInput", inputs: { prompt: "Where to?" } },
    ...Array.from({ length: 6 }, (_, i) => ({
      id: `step${i}`,
      type: "EchoBlock",
      inputs: { message: "${blocks.where.input_value}" },
      dependsOn: [i === 0 ? "where" : `step${i - 1}`],
    })),
    { id: "end", type: "End", dependsOn: ["step5"] },
  ],
  outputs: { place: "${blocks.step5.echoed}" },
};

const POLICIES: readonly (readonly [name: string, policy: CheckpointPolicy])[] = [
  ["latest", { retention: "latest" }],
  ["latest, written at the end", { retention: "latest", durability: "exit" }],
  ["latest, each step", { retention: "latest", durability: "sync" }],
  ["windowed", { retention: "windowed", window: 1 }],
];

let seed = 0;

function executorOn(store: Store, policy: CheckpointPolicy, fails: () => boolean = () => false) {
  const end = defineBlock({ type: "End", execute: () => (fails() ? failure("Not yet.") : success({})) });
  const host = fakeHost({ autoAdvance: true, seed: (seed += 1) });
  return createExecutor({ store, policy, workflows: [WORKFLOW], blocks: [end], host });
}

describe.each(POLICIES)("with retention %s the last checkpoint of an ended run is kept", (_, policy) => {
  test("can be loaded and forked, here and in another process; older ones are pruned", async () => {
    const store = memoryStore();
    const executor = executorOn(store, policy);
    const run = await executor.start("trip");
    await run.settled();
    const pause = run.getSnapshot().pauses[0]!.id;
    const result = await run.answer(pause, "Rome");
    expect(result).toMatchObject({ status: "success", outputs: { place: "Rome" } });
    for (const one of [executor, executorOn(store, policy)]) {
      const [last, ...others] = (await one.checkpoints.list({ run: run.id })).items;
      expect(last).toMatchObject({ kind: "wave" });
      for (const row of [last!, ...others]) expect(await one.checkpoints.get(row.id)).toMatchObject({ id: row.id });
      const fork = await one.fork(last!.id);
      expect(await fork.resume()).toMatchObject({ status: "success", outputs: { place: "Rome" } });
      expect(fork.id).not.toBe(run.id);
      expect(await (await one.open(run.id)).settled()).toEqual(result);
      await expect(one.checkpoints.get(pause)).rejects.toMatchObject({ code: "CHECKPOINT_PRUNED" });
    }
    expect((await store.head(run.id))!.base).toBeGreaterThan(1);
  });

  test("also where it failed, was resumed and then ended", async () => {
    const store = memoryStore();
    let broken = true;
    const executor = executorOn(store, policy, () => broken);
    const run = await executor.start("trip");
    await run.settled();
    expect(await run.answer(run.getSnapshot().pauses[0]!.id, "Rome")).toMatchObject({ status: "failure" });
    const failed = (await executor.checkpoints.list({ run: run.id })).items[0]!;
    expect((await (await executor.fork(failed.id)).settled()).status).toBe("failure");
    broken = false;
    expect(await run.resume()).toMatchObject({ status: "success" });
    const last = (await executor.checkpoints.list({ run: run.id })).items[0]!;
    expect(await (await executor.fork(last.id)).resume()).toMatchObject({ status: "success", outputs: { place: "Rome" } });
  });
});
