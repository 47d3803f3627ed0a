import { get } from "svelte/store";
import { pauseStore, type UsedPause } from "wavepoint/svelte";
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
