import { describe, expect, test } from "vitest";
import type { RunView, Step } from "wavepoint";
import { timelineOf } from "../../../src/browser/dashboard/timeline.ts";

const view = (more: Partial<RunView> = {}): RunView =>
  ({ status: "completed", createdAt: 1_000, updatedAt: 1_000, waves: [], pauses: [], endedAt: 11_000, ...more }) as unknown as RunView;

const step = (block: string, startedAt: number, at: number, tookMs: number, more: Partial<Step> = {}): Step => ({
  index: 0,
  block,
  status: "completed",
  startedAt,
  at,
  tookMs,
  ...more,
});

const blocks = (...all: readonly object[]) => ({ waves: [{ index: 0, blocks: all }] }) as unknown as Partial<RunView>;
const done = (...ids: readonly string[]) => blocks(...ids.map((id) => ({ id, type: "T", status: "completed" })));

describe("a timeline", () => {
  test("has a row for each block in the order of the plan, with a bar for each execution; what was skipped has none", () => {
    const steps = [step("b", 3_000, 4_000, 1_000), step("a", 1_000, 2_000, 1_000), step("c", 4_000, 4_000, 0, { status: "skipped" })];
    const again = step("b", 5_000, 6_000, 500, { iteration: 2 });
    const ofItem = step("a", 1_000, 1_500, 500, { item: 2 });
    const { rows, longest } = timelineOf(view(done("a", "b", "c")), [...steps, again, ofItem], 20_000);
    expect(rows.map(({ block, bars }) => [block.id, bars.map(({ from, to, workedUntil }) => [from, to, workedUntil])])).toEqual([
      ["a", [[1_000, 2_000, 2_000]]],
      [
        "b",
        [
          [3_000, 4_000, 4_000],
          [5_000, 6_000, 5_500],
        ],
      ],
      ["c", []],
    ]);
    expect(longest).toEqual({ block: "a", ms: 1_000 });
  });

  test("what undoes blocks stands behind them", () => {
    const compensations = [{ id: "undo", type: "T", status: "completed" }] as unknown as RunView["compensations"];
    const { rows } = timelineOf(
      view({ ...done("a"), ...(compensations && { compensations }) }),
      [step("undo", 3_000, 4_000, 1_000)],
      20_000,
    );
    expect(rows.map(({ block, bars }) => [block.id, bars.length])).toEqual([
      ["a", 0],
      ["undo", 1],
    ]);
  });

  test("says how long blocks executed together: what ran at the same time counts once, waiting does not", () => {
    const steps = [step("a", 1_000, 3_000, 2_000), step("b", 2_000, 4_000, 2_000), step("asks", 4_000, 11_000, 500)];
    expect(timelineOf(view(done("a", "b", "asks")), steps, 20_000).activeMs).toBe(3_500);
  });

  test("places instants by the time in which blocks executed: what lies between takes little room", () => {
    const steps = [step("a", 1_000, 2_000, 1_000), step("b", 10_000, 11_000, 1_000)];
    const line = timelineOf(view(done("a", "b")), steps, 20_000);
    expect(line.at(1_000)).toBe(0);
    expect(line.at(2_000)).toBeCloseTo(0.475);
    expect(line.at(10_000)).toBeCloseTo(0.525);
    expect(line.at(11_000)).toBeCloseTo(1);
  });

  test("what waits or executes lasts until now; what has just ended stands there before its record is read", () => {
    const now = blocks(
      { id: "asks", type: "T", status: "paused", startedAt: 2_000 },
      { id: "runs", type: "T", status: "running", startedAt: 4_000 },
      { id: "ended", type: "T", status: "completed", startedAt: 5_000, tookMs: 1_000 },
    );
    const { rows, endedAt } = timelineOf(
      view({ status: "running", ...now }),
      [step("asks", 2_000, 2_500, 500, { status: "paused" })],
      9_000,
    );
    expect(rows.flatMap(({ block, bars }) => bars.map(({ from, to, workedUntil }) => [block.id, from, to, workedUntil]))).toEqual([
      ["asks", 2_000, 9_000, 2_000],
      ["runs", 4_000, 9_000, 9_000],
      ["ended", 5_000, 6_000, 6_000],
    ]);
    expect(endedAt).toBe(9_000);
  });
});
