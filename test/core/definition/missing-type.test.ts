import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Executor, type Run, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const ask = defineBlock({
  type: "AskSeat",
  execute: () => pause({ prompt: "Which seat?" }),
  resume: ({ response }) => success({ seat: response }),
});

const workflow = {
  name: "evening",
  blocks: [
    { id: "seat", type: "AskSeat" },
    { id: "told", type: "EchoBlock", dependsOn: ["seat"], inputs: { message: "${blocks.seat.seat}" } },
  ],
  outputs: { told: { value: "${blocks.told.echoed}" } },
};

/** As after a reload, by a page that was not told of the block type. */
const forgetful = (store: Store): Executor => createExecutor({ store, workflows: [workflow] });
const complete = (store: Store): Executor => createExecutor({ store, workflows: [workflow], blocks: [ask] });

async function asked(): Promise<{ readonly store: Store; readonly id: string; readonly pause: string }> {
  const store = memoryStore();
  const executor = complete(store);
  const run = await executor.start("evening");
  const { pauses } = await run.settled();
  await executor.close();
  return { store, id: run.id, pause: pauses![0]!.id };
}

const answer = (run: Run, id: string): Promise<unknown> => run.answer(id, "A2").catch((error: unknown) => error);

describe("a block type that an executor does not have", () => {
  test("is named to who answers, with the way out; the run has not failed", async () => {
    const { store, id, pause } = await asked();
    const run = await forgetful(store).open(id);
    const error = await answer(run, pause);
    expect(error).toMatchObject({ code: "BLOCK_TYPE_MISSING", details: { block: "seat", type: "AskSeat" } });
    expect(String(error)).toContain("createExecutor");
    expect(run.getSnapshot()).toMatchObject({ status: "running", error: { code: "BLOCK_TYPE_MISSING" } });
  });

  test("costs no answer: who has it goes on with the one that was given", async () => {
    const { store, id, pause } = await asked();
    const without = forgetful(store);
    await answer(await without.open(id), pause);
    await without.close();
    const run = await complete(store).open(id);
    expect(await run.resume()).toMatchObject({ status: "success", outputs: { told: "A2" } });
  });

  test("is no failure that a workflow may pass over", async () => {
    const print = defineBlock({ type: "PrintTicket", execute: () => success({ printed: true }) });
    const tickets = {
      name: "tickets",
      blocks: [
        { id: "seat", type: "AskSeat" },
        { id: "print", type: "PrintTicket", dependsOn: ["seat"], continueOnError: true },
      ],
      outputs: { printed: { value: "${blocks.print.printed}" } },
    };
    const store = memoryStore();
    const first = createExecutor({ store, workflows: [tickets], blocks: [ask, print] });
    const { id } = await first.start("tickets");
    const { pauses } = await (await first.open(id)).settled();
    await first.close();

    const without = createExecutor({ store, workflows: [tickets], blocks: [ask] });
    expect(await answer(await without.open(id), pauses![0]!.id)).toMatchObject({ code: "BLOCK_TYPE_MISSING", details: { block: "print" } });
    await without.close();
    const run = await createExecutor({ store, workflows: [tickets], blocks: [ask, print] }).open(id);
    expect(await run.resume()).toMatchObject({ status: "success", outputs: { printed: true } });
  });
});
