import { get } from "svelte/store";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { pauseStore, wizardStore, type UsedPause, type UsedWizard } from "wavepoint/svelte";
import { expect, test } from "vitest";
import { askTwo } from "./ask-two.ts";

test("a run is a store", async () => {
  const { run } = await askTwo();
  expect(get(run).status).toBe("paused");
});

test("pauseStore goes from question to question", async () => {
  const { run, name } = await askTwo();
  const store = pauseStore(run);
  expect(get(store).pause?.prompt).toBe("Name?");
  const states: UsedPause[] = [];
  const leave = store.subscribe((used) => states.push(used));
  expect(states).toHaveLength(1);
  states[0]!.saveDraft("Ad");
  expect(states[1]?.draft).toBe("Ad");
  await run.answer(name, "Ada");
  await expect.poll(() => states.at(-1)?.pause?.prompt).toBe("Seats?");
  await states.at(-1)!.answer({ count: 9 });
  expect(states.at(-1)?.error?.code).toBe("RESPONSE_INVALID");
  leave();
});

test("pauseStore takes a question by its id", async () => {
  const { run, seats } = await askTwo();
  expect(get(pauseStore(run, seats)).pause?.prompt).toBe("Seats?");
});

test("a store that is left gets no more changes, and keeps what was typed last", async () => {
  const { run, name } = await askTwo();
  const states: UsedPause[] = [];
  const leave = pauseStore(run).subscribe((used) => states.push(used));
  states[0]!.saveDraft("Ad");
  leave();
  const told = states.length;
  await expect.poll(() => run.getSnapshot().pauses[0]!.draft).toBe("Ad");
  await run.answer(name, "Ada");
  expect(states).toHaveLength(told);
});

const ASK = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Name?" } }] };

test("wizardStore opens the run of its id, or starts it, and follows it", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const states: UsedWizard[] = [];
  const leave = wizardStore(executor, ASK, { id: "one" }).subscribe((used) => states.push(used));
  expect(states).toEqual([{ isLoading: true }]);
  await expect.poll(() => states.at(-1)?.question?.pause?.prompt).toBe("Name?");
  leave();
  const again = wizardStore(executor, ASK, { id: "one" });
  let last: UsedWizard | undefined;
  again.subscribe((used) => (last = used));
  await expect.poll(() => last?.run?.id).toBe("run_one");
  await last!.question!.answer("Ada");
  expect(last?.view?.status).toBe("completed");
  expect((await executor.runs.list()).items).toHaveLength(1);
  await executor.close();
});

test("wizardStore starts nothing for who leaves at once, and says why there is no run", async () => {
  const executor = createExecutor({ store: memoryStore() });
  expect(get(wizardStore(executor, ASK, { id: "one" }))).toEqual({ isLoading: true });
  let last: UsedWizard | undefined;
  wizardStore(executor, "absent", { id: "two" }).subscribe((used) => (last = used));
  await expect.poll(() => last?.error?.code).toBe("WORKFLOW_NOT_FOUND");
  expect((await executor.runs.list()).items).toEqual([]);
  await executor.close();
});

test("of two workflows that want the same id at once, one gets its run and the other an error", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const other = { ...ASK, name: "other" };
  const shown: (UsedWizard | undefined)[] = [undefined, undefined];
  wizardStore(executor, ASK, { id: "one" }).subscribe((used) => (shown[0] = used));
  wizardStore(executor, other, { id: "one" }).subscribe((used) => (shown[1] = used));
  await expect.poll(() => shown.every((used) => used?.isLoading === false)).toBe(true);
  // Either may be the first.
  const [run] = (await executor.runs.list()).items;
  expect(shown.map((used) => used?.view?.workflow ?? used?.error?.code).toSorted()).toEqual(["RUN_EXISTS", run!.workflow]);
  expect((await executor.runs.list()).items).toHaveLength(1);
  await executor.close();
});
