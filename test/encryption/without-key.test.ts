import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const DAY = 86_400_000;
const ask: Workflow = {
  name: "ask",
  blocks: [
    { id: "hello", type: "EchoBlock", inputs: { message: "Hello" } },
    { id: "go", type: "ConfirmOperation", dependsOn: ["hello"], inputs: { message: "Go?" } },
  ],
  outputs: { gone: "${blocks.go.confirmed}" },
};

test("who cleans up, trims or deletes in an encrypted store without its key changes nothing", async () => {
  const inside = memoryStore();
  const sealed = await encryptedStore(inside, { key: new Uint8Array(32).fill(1) });
  const host = fakeHost();
  const executor = createExecutor({ store: sealed, host, workflows: [ask] });
  const run = await executor.start("ask");
  const { pauses } = await run.settled();
  await host.advance(5 * DAY);
  const stranger = createExecutor({ store: inside, host, policy: { autoCleanup: false } });
  for (const change of [
    () => stranger.cleanup({ ttlMs: DAY, keepPaused: false }),
    () => stranger.checkpoints.trim(0),
    () => stranger.runs.delete(run.id),
  ]) {
    await expect(change()).rejects.toMatchObject({ code: "STORE_KEY_WRONG", message: expect.stringContaining("Nothing was changed") });
  }
  // What the keys are kept in is no run.
  await stranger.runs.delete("store.key");
  const again = await createExecutor({ store: await encryptedStore(inside, { key: new Uint8Array(32).fill(1) }), host }).open(run.id);
  expect(await again.answer(pauses![0]!.id, "yes")).toMatchObject({ status: "success", outputs: { gone: true } });
});
