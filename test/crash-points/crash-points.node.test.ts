import { describe, expect, it } from "vitest";
import type { CheckpointPolicy } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { CASES } from "../corpus/case-files.ts";
import { isCuttable, runWithCrash } from "./crash-run.ts";
import type { StopPoint } from "./stop-at.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;

const cuttable = CASES.filter(isCuttable);

const POLICIES: readonly CheckpointPolicy[] = [
  { durability: "async" },
  { durability: "sync" },
  { durability: "sync", retention: "latest" },
  { durability: "async", retention: "windowed", window: 1 },
];

/**
 * Where a process dies that asks for so many writes. What is promised of every write is promised under "sync" alone. There it is tried before each, when
 * blocks have run whose steps are not stored; a store that holds a write is what `promises/every-prefix` goes on from. Elsewhere it is tried at every
 * fourth write, before and after in turns. The long tier tries both at each write under every policy.
 */
function stopPoints(policy: CheckpointPolicy, writes: number): readonly StopPoint[] {
  const every = Array.from({ length: writes * 2 }, (_, i): StopPoint => ({ write: (i >> 1) + 1, when: i % 2 === 0 ? "before" : "after" }));
  if (IS_LONG) return every;
  const isSync = policy.durability === "sync" && policy.retention === undefined;
  return every.filter((_, i) => (isSync && i % 2 === 0) || i % 16 === 0 || i % 16 === 9);
}

describe.each(POLICIES)("D1: a process that dies at any write, %j", (policy) => {
  let points = 0;

  it.each(cuttable)("$name", async (theCase) => {
    const unbroken = await runWithCrash(theCase, memoryStore(), policy);
    if (unbroken === undefined) return;
    for (const point of stopPoints(policy, unbroken.writes)) {
      const broken = (await runWithCrash(theCase, memoryStore(), policy, point))!;
      expect({ point, ...broken.ending }).toEqual({ point, ...unbroken.ending });
      expect({ point, repeated: broken.repeated }).toEqual({ point, repeated: [] });
      if (broken.isReached) points += 1;
    }
  });

  it("tried enough points", () => {
    expect(points).toBeGreaterThan(IS_LONG ? 1_000 : 150);
  });
});
