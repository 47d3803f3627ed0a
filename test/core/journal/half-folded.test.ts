import { afterEach, expect, test, vi } from "vitest";
import { createExecutor, WorkflowError } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { FoldedRun } from "../../../src/core/machine/machine.ts";

afterEach(() => vi.restoreAllMocks());

test("a run of which an entry was folded in part writes nothing of that, and goes on as it is stored", async () => {
  const ask = (id: string) => ({ id, type: "GetInput", inputs: { prompt: `${id}?` } });
  const workflows = [
    { name: "two", blocks: [ask("a"), ask("b")], outputs: { a: "${blocks.a.input_value}", b: "${blocks.b.input_value}" } },
  ];
  const store = memoryStore();
  const run = await createExecutor({ store, workflows }).start("two");
  const [a, b] = (await run.settled()).pauses!;
  const before = await store.read(run.id);
  const fold = vi.spyOn(FoldedRun.prototype, "apply").mockImplementation(function (this: FoldedRun, entry) {
    fold.mockRestore();
    this.apply(entry);
    throw new WorkflowError("RUN_CORRUPT", "It cannot follow.");
  });
  await expect(run.answer(a!.id, "lost")).rejects.toMatchObject({ code: "RUN_CORRUPT" });
  expect(await store.read(run.id)).toEqual(before);
  await run.answer(b!.id, "2");
  const later = await createExecutor({ store, workflows }).open(run.id);
  expect(later.getSnapshot().pauses.map(({ path }) => path)).toEqual([["a"]]);
  await later.answer(a!.id, "1");
  expect(await later.settled()).toMatchObject({ outputs: { a: "1", b: "2" } });
});
