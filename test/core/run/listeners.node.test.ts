import { afterEach, beforeEach, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type RunView } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const own = defineBlock({ type: "Own", execute: () => success({}) });
const workflow = { name: "flow", blocks: [{ id: "a", type: "Own" }, { id: "b", type: "Own", dependsOn: ["a"] }] } as const; // prettier-ignore

/** What was not caught, in place of the listeners of the test runner. */
let uncaught: unknown[] = [];
let others: NodeJS.UnhandledRejectionListener[] = [];
const note = (reason: unknown): void => void uncaught.push(reason);

beforeEach(() => {
  uncaught = [];
  others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", note);
});

afterEach(() => {
  process.off("unhandledRejection", note);
  for (const other of others) process.on("unhandledRejection", other);
});

test("what a listener to events throws is not caught, and the run goes on as if nothing had been", async () => {
  const store = memoryStore();
  const executor = createExecutor({
    store,
    blocks: [own],
    onEvent(event) {
      if (event.type === "recorded") throw new Error(`not ${event.entry.type}`);
    },
  });
  const run = await executor.start(workflow);
  expect(await run.settled()).toMatchObject({ status: "success" });
  expect((await store.read(run.id)).map((text) => (JSON.parse(text) as { readonly type: string }).type)).toEqual([
    "started",
    "completed",
    "completed",
    "finished",
  ]);
  await expect.poll(() => uncaught.map(String)).toContain("Error: not completed");
});

test("a subscriber that throws keeps nothing from the others", async () => {
  const executor = createExecutor({ store: memoryStore(), blocks: [own] });
  const run = await executor.start(workflow);
  const seen: RunView["status"][] = [];
  let calls = 0;
  run.subscribe(() => {
    calls += 1;
    if (calls > 1) throw new Error("not again");
  });
  run.subscribe((view) => seen.push(view.status));
  await run.settled();
  await expect.poll(() => seen.at(-1)).toBe("completed");
  await expect.poll(() => uncaught.map(String)).toContain("Error: not again");
});
