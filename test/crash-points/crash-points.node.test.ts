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
 * Where a process dies that asks for so many writes. What is promised of every write is promised under "sync" alone: there, and in the long tier under
 * every policy, it is tried before and after each; else at every fourth one, before and after in turns.
 */
function stopPoints(policy: CheckpointPolicy, writes: number): readonly StopPoint[] {
  const every = Array.from({ length: writes * 2 }, (_, i): StopPoint => ({ write: (i >> 1) + 1, when: i % 2 === 0 ? "before" : "after" }));
  const isWhole = IS_LONG || (policy.durability === "sync" && policy.retention === undefined);
  return isWhole ? every : every.filter((_, i) => i % 16 === 0 || i % 16 === 9);
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
