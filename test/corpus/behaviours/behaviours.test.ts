import { expect, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { BEHAVIOURS } from "./behaviours.ts";
import { endingOf, playBehaviour } from "./play-behaviour.ts";

test("there are the examples of three specifications", () => {
  const counts = ["S3", "S4", "S5"].map((seed) => Object.keys(BEHAVIOURS).filter((name) => name.startsWith(seed)).length);
  expect(counts).toEqual([3, 8, 7]);
});

test.each(Object.entries(BEHAVIOURS))("%s: runs in the order that is expected, and comes to what is expected", async (_, behaviour) => {
  const { order, outputs, channels, requested = [], asked = [], called = {}, calls = {} } = behaviour.expect;
  const played = await playBehaviour(behaviour, memoryStore());
  expect(played.order).toEqual(order);
  expect(played.ending).toMatchObject({ outputs, requested });
  if (channels) expect(played.ending.channels).toEqual(channels);
  expect(played.asked).toEqual(asked);
  expect(played.calls).toEqual(calls);
  const reader = played.reopen();
  for (const [address, values] of Object.entries(called)) expect((await (await reader.open(address)).state()).values).toEqual(values);
});

const withCheckpoints = Object.entries(BEHAVIOURS).filter(
  ([
    ,
    {
      expect: { requested },
    },
  ]) => requested,
);

test.each(withCheckpoints)("%s: goes on from each checkpoint that was asked for, in a fork", async (_, behaviour) => {
  const { requested, ending, reopen } = await playBehaviour(behaviour, memoryStore());
  for (const checkpoint of requested) {
    const fork = await reopen().fork(checkpoint);
    expect(await fork.settled()).toMatchObject({ status: "success" });
    const { outputs, channels, steps } = ending;
    expect(await endingOf(fork)).toEqual({ outputs, channels, steps });
  }
});
