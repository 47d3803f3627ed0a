import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const outage = { isOver: true };
const done: string[] = [];

/** An order that is validated, paid and shipped, with a checkpoint after each stage. */
const processOrder = defineBlock({
  type: "ProcessOrder",
  execute({ channels, checkpoint, nextIteration }) {
    const state = channels.get("order_state");
    if (state === "VALIDATED" && !outage.isOver) throw new Error("The bank does not answer.");
    done.push(String(state));
    if (state === "NEW") {
      channels.write("order_state", "VALIDATED");
      checkpoint({ stage: "validation_complete", order_id: "ORD123" });
      return nextIteration();
    }
    if (state === "VALIDATED") {
      channels.write("order_state", "PAID");
      checkpoint({ stage: "payment_complete", amount: 100 });
      return nextIteration();
    }
    return success({ result: "ORDER_COMPLETE" });
  },
});

/** A model that is trained epoch by epoch, with a checkpoint every tenth, until it is accurate. */
const training = defineBlock({
  type: "Training",
  execute({ channels, checkpoint, nextIteration }) {
    const epoch = channels.get("epoch") as number;
    const accuracy = (epoch + 1) * 0.04;
    channels.write("epoch", epoch + 1);
    if ((epoch + 1) % 10 === 0) checkpoint({ epoch: epoch + 1, accuracy });
    return accuracy >= 0.95 ? success({ result: "TRAINING_COMPLETE" }) : nextIteration();
  },
});

const orders: Workflow = {
  name: "order_processing",
  channels: { order_state: { type: "string", default: "NEW" } },
  blocks: [{ id: "process_order", type: "ProcessOrder" }],
  outputs: { result: "${blocks.process_order.outputs.result}" },
};
const models: Workflow = {
  name: "ml_training",
  channels: { epoch: { type: "integer", default: 0 } },
  blocks: [{ id: "ml_training", type: "Training" }],
  outputs: { result: "${blocks.ml_training.outputs.result}", epochs: "${channels.epoch}" },
};

function executorOn(store: Store): Executor {
  return createExecutor({ store, workflows: [orders, models], blocks: [processOrder, training], host: fakeHost({ autoAdvance: true }) });
}

const stagesOf = async (executor: Executor, run: string) =>
  (await executor.checkpoints.list({ run, kind: "requested" })).items
    .map(({ metadata }) => metadata?.["stage"] ?? metadata?.["epoch"])
    .toReversed();

test("a machine with states goes on at its last successful stage after a failure", async () => {
  const store = memoryStore();
  done.length = 0;
  outage.isOver = false;
  const executor = executorOn(store);
  const run = await executor.start("order_processing");
  expect(await run.settled()).toMatchObject({ status: "failure" });
  expect(await stagesOf(executor, run.id)).toEqual(["validation_complete"]);
  outage.isOver = true;
  const [last] = (await executor.checkpoints.list({ run: run.id, kind: "requested" })).items;
  const again = executorOn(store);
  expect(await again.resume(last!.id)).toMatchObject({ status: "success", outputs: { result: "ORDER_COMPLETE" } });
  expect(done).toEqual(["NEW", "VALIDATED", "PAID"]);
  expect(await stagesOf(again, run.id)).toEqual(["validation_complete", "payment_complete"]);
});

test("a training with periodic checkpoints begins at one of them in a fork", async () => {
  const executor = executorOn(memoryStore());
  const run = await executor.start("ml_training");
  expect(await run.settled()).toMatchObject({ status: "success", outputs: { result: "TRAINING_COMPLETE", epochs: 24 } });
  expect(await stagesOf(executor, run.id)).toEqual([10, 20]);
  const [place] = (await executor.checkpoints.list({ run: run.id, metadata: { epoch: 20 } })).items;
  const fork = await executor.fork(place!.id);
  expect(await fork.settled()).toMatchObject({ status: "success", outputs: { epochs: 24 } });
  expect((await fork.steps()).map(({ iteration }) => iteration)).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
});
