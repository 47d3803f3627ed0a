import { expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { address as scribblerWorker } from "./scribbler-worker.ts?bundled";

const KILLS = 12;
const steps = Array.from({ length: KILLS }, (_, i) => ({ id: `ask-${i}`, type: "GetInput", inputs: { prompt: `Question ${i}?` } }));
const workflow = { name: "long", blocks: steps.map((step, i) => ({ ...step, dependsOn: i === 0 ? [] : [`ask-${i - 1}`] })) };

test("workers that are killed while they write delay no other: the run goes on, and a database that stays blocked is reported", async () => {
  const name = `killed-writers-${crypto.randomUUID()}`;
  const store = indexedDbStore({ name });
  const executor = createExecutor({ store, workflows: [workflow] });
  const run = await executor.start("long");
  await run.settled();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = new Worker(scribblerWorker, { type: "module", name });
    await new Promise((resolve) => worker.addEventListener("message", resolve));
    worker.terminate();
    await run.answer(run.getSnapshot().pauses[0]!.id, `answer ${kill}`);
  }
  expect(run.getSnapshot().status).toBe("completed");
  await executor.close();

  indexedDB.deleteDatabase(name);
  // Other browsers delete it. WebKit may wait for a dead one without end, and lets no other in meanwhile.
  const codes = expect.stringMatching(/^(?:STORE_RESET|STORE_BLOCKED)$/);
  await expect(indexedDbStore({ name }).head(run.id)).rejects.toMatchObject({ code: codes });
  await store.close();
});
