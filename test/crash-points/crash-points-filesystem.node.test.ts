import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { CASES } from "../corpus/case-files.ts";
import { isCuttable, runWithCrash } from "./crash-run.ts";
import type { StopPoint } from "./stop-at.ts";

const root = await mkdtemp(join(tmpdir(), "wavepoint-crash-points-"));
afterAll(() => rm(root, { recursive: true, force: true }));

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
/** On memory each write of each case is tried; here every fourth one of every third case, and in the long tier each. */
const STRIDE = IS_LONG ? 1 : 4;
const answered = CASES.filter((theCase) => isCuttable(theCase) && theCase.answers.length > 0).filter((_, i) => IS_LONG || i % 3 === 0);
let opened = 0;
let points = 0;

// The last one counts what those before it did.
describe("D1: a process that dies at any write to files", { shuffle: false }, () => {
  it.each(answered)("$name", async (theCase) => {
    const run = async (point?: StopPoint) => {
      const store = filesystemStore(join(root, String((opened += 1))));
      try {
        return await runWithCrash(theCase, store, { durability: "sync" }, point);
      } finally {
        await store.close();
      }
    };
    const unbroken = await run();
    if (unbroken === undefined) return;
    for (let write = 1; write <= unbroken.writes; write += STRIDE) {
      const point: StopPoint = { write, when: write % (2 * STRIDE) === 1 ? "before" : "after" };
      const broken = (await run(point))!;
      expect({ point, ...broken.ending }).toEqual({ point, ...unbroken.ending });
      expect({ point, repeated: broken.repeated }).toEqual({ point, repeated: [] });
      if (broken.isReached) points += 1;
    }
  });

  it("tried enough points", () => {
    expect(points).toBeGreaterThan(IS_LONG ? 400 : 40);
  });
});
