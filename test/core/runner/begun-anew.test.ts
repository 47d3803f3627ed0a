import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const wizard: Workflow = {
  name: "wizard",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Your name?" } },
    { id: "town", type: "GetInput", inputs: { prompt: "Where do you live, ${blocks.name.input_value}?" }, dependsOn: ["name"] },
  ],
  outputs: { told: "${blocks.name.input_value} of ${blocks.town.input_value}" },
};

/** The store as a tab sees it that slept: it missed what others wrote, and its first claim has expired. */
function asleep(store: Store): Store {
  let hasExpired = false;
  return {
    ...store,
    watch: () => () => {},
    async claim(run, lost) {
      if (hasExpired) return store.claim(run, lost);
      hasExpired = true;
      return async () => {};
    },
  };
}

test("a tab that slept while its run was deleted and began anew does not write into the new one", async () => {
  const store = memoryStore();
  const [sleeping, awake] = [1_000, 2_000].map((startAt) =>
    createExecutor({ store: asleep(store), workflows: [wizard], host: fakeHost({ autoAdvance: true, startAt }) }),
  );
  const old = await sleeping!.start("wizard", {}, { id: "visit" });
  await old.answer((await old.settled()).pauses![0]!.id, "Ada");
  await awake!.runs.delete(old.id);
  const anew = await awake!.start("wizard", {}, { id: "visit" });
  await anew.answer((await anew.settled()).pauses![0]!.id, "Bob");

  const { pauses } = old.getSnapshot();
  expect(pauses[0]!.prompt).toBe("Where do you live, Ada?");
  // Its answer is to the question that stands under this id now.
  expect(await old.answer(pauses[0]!.id, "Turin")).toMatchObject({ outputs: { told: "Bob of Turin" } });
  await anew.refresh();
  expect(anew.getSnapshot().outputs).toEqual({ told: "Bob of Turin" });
});

test("a step that executes while its run is deleted and begins anew is not recorded in the new one", async () => {
  const store = memoryStore();
  const finish: (() => void)[] = [];
  const workflow: Workflow = { name: "work", blocks: [{ id: "work", type: "Slow" }], outputs: { by: "${blocks.work.by}" } };
  const [sleeping, awake] = ["old", "new"].map((by, index) => {
    const slow = defineBlock({
      type: "Slow",
      async execute() {
        await new Promise<void>((resolve) => finish.push(resolve));
        return success({ by });
      },
    });
    return createExecutor({ store: asleep(store), workflows: [workflow], blocks: [slow], host: fakeHost({ startAt: index * 1_000 }) });
  });
  const old = await sleeping!.start("work", {}, { id: "job" });
  await expect.poll(() => finish.length).toBe(1);
  await store.delete(old.id);
  const anew = await awake!.start("work", {}, { id: "job" });
  await expect.poll(() => finish.length).toBe(2);
  expect(await store.head(old.id)).toMatchObject({ revision: 1 });
  finish[0]!();
  await expect.poll(() => old.getSnapshot().updatedAt).toBe(1_000);
  expect(await store.head(old.id)).toMatchObject({ revision: 1 });
  finish[1]!();
  expect(await anew.settled()).toMatchObject({ outputs: { by: "new" } });
});
