import { expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Block, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

test.each<[string, Partial<Block>]>([
  ["a block", {}],
  ["an item", { forEach: ["one"] }],
])("%s sees no answer that is not stored, though the run executes when it comes", async (_, more) => {
  const inner = memoryStore();
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const isHeld = ({ entries }: Parameters<Store["commit"]>[0]): boolean => entries.some((text) => text.includes('"answered"'));
  const store: Store = {
    ...inner,
    async commit(commit) {
      if (isHeld(commit)) await opened;
      return inner.commit(commit);
    },
  };
  const seen: unknown[] = [];
  const asking = defineBlock({
    type: "Asking",
    execute: () => pause({ prompt: "?" }),
    resume: ({ response }) => {
      seen.push(response);
      return success({});
    },
  });
  const host = fakeHost();
  const blocks = [
    { id: "q", type: "Asking", ...more },
    { id: "slow", type: "Work", inputs: { ms: 1_000 } },
  ];
  const executor = createExecutor({ store, host, blocks: [asking, ...workshop().blocks], workflows: [{ name: "held", blocks }] });
  const run = await executor.start("held");
  await expect.poll(() => run.getSnapshot().pauses.length).toBe(1);
  const answered = run.answer(run.getSnapshot().pauses[0]!.id, "yes");
  await expect.poll(() => run.getSnapshot().pauses.length).toBe(0);
  await host.advance(1_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(seen).toEqual([]);
  open();
  expect(await answered).toMatchObject({ status: "success" });
  expect(seen).toEqual(["yes"]);
});
