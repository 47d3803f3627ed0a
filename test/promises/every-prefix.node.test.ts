import { describe, expect, test } from "vitest";
import { CASES } from "../corpus/case-files.ts";
import { isCuttable } from "../crash-points/crash-run.ts";
import { recordCase } from "./prefixes.ts";

/**
 * Cases whose journal has one more attempt than without the cut, and the same end. A called workflow that failed is tried again once more than its
 * caller wanted where the caller's process dies after the failure was stored and before the caller has noted it. A run that failed beside a
 * question tries what failed again when it is resumed, and once more when the answer comes.
 */
const TRIED_ONCE_MORE = new Set(["retry-called-workflow", "run-failure-beside-pause"]);

/** In the short tier every second prefix of a case, beginning with the first or the second one in turns. */
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const STRIDE = IS_LONG ? 1 : 2;

// The last one counts what those before it did.
describe("D5: resuming from every prefix of a journal gives the same end and the same journal", { shuffle: false }, () => {
  let prefixes = 0;

  const cuttable = CASES.filter(isCuttable).map((theCase, turn) => ({ name: theCase.name, theCase, turn }));

  test.each(cuttable)("$name", async ({ theCase, turn }) => {
    const whole = await recordCase(theCase);
    if (whole === undefined) return;
    const { ending, journals } = whole;
    for await (const played of whole.prefixes(STRIDE, turn)) {
      const expected = { prefix: played.prefix, ending, journals: TRIED_ONCE_MORE.has(theCase.name) ? played.journals : journals };
      expect(played).toEqual(expected);
      prefixes += 1;
    }
  });

  test("tried enough prefixes", () => {
    expect(prefixes).toBeGreaterThan(900 / STRIDE);
  });
});
