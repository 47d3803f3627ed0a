import { describe, expect, it } from "vitest";
import type { CheckpointPolicy } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { CASES } from "../corpus/case-files.ts";
import { isCuttable, runWithCrash } from "./crash-run.ts";

const cuttable = CASES.filter(isCuttable);

const POLICIES: readonly CheckpointPolicy[] = [
  { durability: "async" },
  { durability: "sync" },
  { durability: "sync", retention: "latest" },
  { durability: "async", retention: "windowed", window: 1 },
];

describe.each(POLICIES)("D1: a process that dies at any write, %j", (policy) => {
  let points = 0;

  it.each(cuttable)("$name", async (theCase) => {
    const unbroken = await runWithCrash(theCase, memoryStore(), policy);
    if (unbroken === undefined) return;
    for (let write = 1; write <= unbroken.writes; write += 1) {
      for (const when of ["before", "after"] as const) {
        const broken = (await runWithCrash(theCase, memoryStore(), policy, { write, when }))!;
        const place = `${when} write ${write}`;
        expect({ place, ...broken.ending }).toEqual({ place, ...unbroken.ending });
        expect({ place, repeated: broken.repeated }).toEqual({ place, repeated: [] });
        if (broken.isReached) points += 1;
      }
    }
  });

  it("tried enough points", () => {
    expect(points).toBeGreaterThan(1_000);
  });
});
