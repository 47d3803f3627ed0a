import { describe, expect, it } from "vitest";
import type { CheckpointPolicy } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { CASES } from "../corpus/case-files.ts";
import { isCuttable, runWithCrash } from "./crash-run.ts";
import { everyStopPoint, type StopPoint } from "./stop-at.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;

const cuttable = CASES.filter(isCuttable).map((theCase, turn) => ({ name: theCase.name, theCase, turn }));

const SYNC: CheckpointPolicy = { durability: "sync" };
const OTHERS: readonly CheckpointPolicy[] = [
  { durability: "async" },
  { durability: "sync", retention: "latest" },
  { durability: "async", retention: "windowed", window: 1 },
];

/**
 * Where a process dies that asks for so many writes. What is promised of every write is promised under "sync" alone. There it is tried before every fourth
 * one, when blocks have run whose steps are not stored; a store that holds a write is what `promises/every-prefix` goes on from. Under the other policies, of
 * which each case has one, it is tried at every eighth write, before and after in turns. The long tier tries each case at each write, before and after,
 * under every policy.
 */
function stopPoints(policy: CheckpointPolicy, writes: number, turn: number): readonly StopPoint[] {
  const every = everyStopPoint(writes);
  if (IS_LONG) return every;
  // Each case begins at another one, so that no write is always left out.
  return every.filter((_, i) => (policy === SYNC ? i % 2 === 0 && ((i >> 1) + turn) % 4 === 0 : (i + turn) % 16 === 0));
}

describe.each([SYNC, ...OTHERS])("D1: a process that dies at any write, %j", (policy) => {
  const isTried = (_: unknown, i: number): boolean => IS_LONG || policy === SYNC || OTHERS[i % OTHERS.length] === policy;
  let points = 0;

  it.each(cuttable.filter(isTried))("$name", async ({ theCase, turn }) => {
    const unbroken = await runWithCrash(theCase, memoryStore(), policy);
    if (unbroken === undefined) return;
    for (const point of stopPoints(policy, unbroken.writes, turn)) {
      const broken = (await runWithCrash(theCase, memoryStore(), policy, point))!;
      expect({ point, ...broken.ending }).toEqual({ point, ...unbroken.ending });
      expect({ point, repeated: broken.repeated }).toEqual({ point, repeated: [] });
      if (broken.isReached) points += 1;
    }
  });

  it("tried enough points", () => {
    expect(points).toBeGreaterThan(IS_LONG ? 1_000 : policy === SYNC ? 250 : 25);
  });
});
