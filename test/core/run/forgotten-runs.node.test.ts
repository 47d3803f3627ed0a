import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createExecutor, defineBlock, success } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a run is not forgotten while a block of it waits for nothing but its signal", async () => {
  let waits = true;
  const patient = defineBlock({
    type: "Patient",
    async execute({ signal }) {
      if (waits) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      return success({});
    },
  });
  const store = memoryStore();
  const open = () =>
    createExecutor({ store, workflows: [{ name: "patience", blocks: [{ id: "a", type: "Patient" }] }], blocks: [patient] });
  const first = open();
  const { id } = await first.start("patience");
  for (let times = 0; times < 5; times++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  await first.close();
  waits = false;
  expect(await (await open().open(id)).resume()).toMatchObject({ status: "success" });
});
