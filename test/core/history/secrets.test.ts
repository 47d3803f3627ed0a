import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { fillIn } from "../../support/fill-in.ts";
import { pauseOf } from "../../support/pause-of.ts";

const CANARY = "canary-7f3a9c";
const NEWER = "canary-newer-1";

const secretive: Workflow = {
  name: "secretive",
  inputs: { token: { type: "string", secret: true }, other: { type: "string", default: "o" } },
  blocks: [
    { id: "who", type: "GetInput", inputs: { prompt: "Who?" } },
    { id: "fetch", type: "Fetch", dependsOn: ["who"], inputs: { token: "${inputs.token}", key: "${secrets.KEY}" } },
    { id: "greet", type: "Fetch", dependsOn: ["who"], inputs: { token: "${inputs.token}", key: "${blocks.who.input_value}" } },
    { id: "end", type: "GetInput", dependsOn: ["fetch", "greet"], inputs: { prompt: "End?" } },
  ],
};

test("steps that were given secrets are kept, also when the secrets are others now; nothing of them is stored", async () => {
  const got: string[] = [];
  const fetch = defineBlock({
    type: "Fetch",
    secretInputs: ["token", "key"],
    execute: ({ block, inputs }) => {
      got.push(`${block} ${String(inputs["token"])} ${String(inputs["key"])}`);
      return success({ echo: String(inputs["token"]) });
    },
  });
  const store = memoryStore();
  const host = fakeHost({ autoAdvance: true });
  const executorWith = (token: string) =>
    createExecutor({
      store,
      host,
      workflows: [secretive],
      blocks: [fetch],
      secrets: async (name) => (name === "KEY" ? "another-key" : token),
    });
  const first = executorWith(CANARY);
  const run = await first.start("secretive", { token: CANARY });
  await fillIn(run, { who: "Ada" }, { until: "end" });
  expect(got).toEqual([`fetch ${CANARY} another-key`, `greet ${CANARY} Ada`]);

  const later = executorWith(NEWER);
  const again = await later.open(run.id);
  const who = await pauseOf(again, "who");
  expect(await again.previewRevise(who, "Bob")).toMatchObject({ kept: ["fetch", "end"], rerun: ["who", "greet"], uncertain: [] });
  expect(await again.revise(who, "Bob")).toMatchObject({ status: "paused", pauses: [{ path: ["end"] }] });
  expect(got.slice(2)).toEqual([`greet ${NEWER} Bob`]);

  const fork = await later.fork(await pauseOf(again, "end"), { definition: "latest" });
  expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["end"] }] });
  expect(got).toHaveLength(3);
  for (const { id } of (await store.runs()).items) expect((await store.read(id)).join()).not.toMatch(/canary|key-of/);
});
