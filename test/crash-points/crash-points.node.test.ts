import { describe, expect, it } from "vitest";
import type { CheckpointPolicy } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { CASES } from "../corpus/case-files.ts";
import { isCuttable, runWithCrash } from "./crash-run.ts";

const cuttable = CASES.filter(isCuttable);

const DURABILITIES: readonly NonNullable<CheckpointPolicy["durability"]>[] = ["async", "sync"];

describe.each(DURABILITIES)("a process that dies at any write, durability %s", (durability) => {
  let points = 0;

  it.each(cuttable)("$name", async (theCase) => {
    const unbroken = await runWithCrash(theCase, memoryStore(), durability);
    if (unbroken === undefined) return;
    for (let write = 1; write <= unbroken.writes; write += 1) {
      for (const when of ["before", "after"] as const) {
        const broken = (await runWithCrash(theCase, memoryStore(), durability, { write, when }))!;
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
