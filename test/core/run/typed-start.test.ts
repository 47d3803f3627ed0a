import { expect, expectTypeOf, test } from "vitest";
import { createExecutor, defineBlock, defineWorkflow, success, type Executor, type Network, type Shell } from "wavepoint";
import type { PauseForm } from "wavepoint/browser";
import type { UsedPause } from "wavepoint/react";
import { memoryStore } from "wavepoint/store/memory";

const order = defineWorkflow({
  name: "order",
  inputs: { size: { type: "string" }, count: { type: "integer", default: 1 } },
  blocks: [{ id: "say", type: "EchoBlock", inputs: { message: "${inputs.size}" } }],
});
const plain = defineWorkflow({ name: "plain", blocks: [{ id: "say", type: "EchoBlock", inputs: { message: "hello" } }] });

test("the inputs that a workflow requires are required by start", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const run = await executor.start(order, { size: "L" });
  await executor.start(order, { size: "L", count: 2 }, { id: "chosen" });
  await executor.start(plain);
  await executor.start(plain, {}, { id: "other" });
  await executor.start("plain");
  // @ts-expect-error the size is missing
  await expect(executor.start(order)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  // @ts-expect-error the size is missing
  await expect(executor.start(order, {})).rejects.toMatchObject({ code: "INPUT_INVALID" });
  // @ts-expect-error a size is no number
  await expect(executor.start(order, { size: 1 })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  expect(await run.settled()).toMatchObject({ status: "success" });
  await executor.close();
});

test("the signal of a block fits what takes an AbortSignal", async () => {
  const call = defineBlock({
    type: "Call",
    execute({ signal }) {
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      const request = new Request("https://example.org", { signal });
      return success({ aborted: AbortSignal.any([signal, request.signal]).aborted });
    },
  });
  const executor = createExecutor({ store: memoryStore(), blocks: [call] });
  const run = await executor.start({ name: "w", blocks: [{ id: "call", type: "Call" }], outputs: { aborted: "${blocks.call.aborted}" } });
  expect(await run.settled()).toMatchObject({ status: "success", outputs: { aborted: false } });
  expectTypeOf<Parameters<Network["request"]>[0]["signal"]>().toEqualTypeOf<AbortSignal>();
  expectTypeOf<Parameters<Shell["run"]>[0]["signal"]>().toEqualTypeOf<AbortSignal>();
  expectTypeOf<NonNullable<NonNullable<Parameters<Executor["open"]>[1]>["signal"]>>().not.toBeAny();
  await executor.close();
});

test("answers and drafts of forms hold files", () => {
  const file = { name: "a.txt", type: "text/plain", size: 1, bytes: new Uint8Array(1) };
  expectTypeOf<PauseForm["answer"]>().toBeCallableWith(file);
  expectTypeOf<UsedPause["answer"]>().toBeCallableWith({ letter: file });
  expectTypeOf<UsedPause["saveDraft"]>().toBeCallableWith([file]);
  expectTypeOf<UsedPause["saveDraft"]>().toBeCallableWith(undefined);
  // @ts-expect-error a date is no answer
  expectTypeOf<UsedPause["answer"]>().toBeCallableWith(new Date());
});
