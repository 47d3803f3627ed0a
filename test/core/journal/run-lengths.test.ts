import { describe, expect, test } from "vitest";
import { packRuns, unpackRuns } from "../../../src/core/journal/states/state-encoding.ts";

describe("runs of numbers", () => {
  test("give the numbers that were packed, and are short where many are the same", () => {
    const lists = [[], [7], [0, 0, 0, 1, 1, 0], [-1, 2, 3], new Array<number>(100_000).fill(1)];
    for (const numbers of lists) expect([...unpackRuns(packRuns(numbers), 100_000)]).toEqual(numbers);
    expect(packRuns(new Uint8Array(100_000))).toEqual([0, 100_000]);
  });

  test("are refused where they were not packed, or more come out than there can be", () => {
    const forged = [
      undefined,
      "1,1",
      {},
      [1],
      [1, 0],
      [1, -1],
      [1, 1.5],
      [1.5, 1],
      [2 ** 40, 1],
      ["1", 1],
      [1, "1"],
      [1, 2 ** 60],
      [1, 11],
    ];
    for (const runs of forged) expect(() => unpackRuns(runs, 10), JSON.stringify(runs)).toThrow(TypeError);
  });
});
