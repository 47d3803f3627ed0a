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

describe("a timeline", () => {
  test("has a row for each execution, in the order in which they began; what was skipped has none", () => {
    const steps = [step("b", 3_000, 4_000, 1_000), step("a", 1_000, 2_000, 1_000), step("c", 4_000, 4_000, 0, { status: "skipped" })];
    const items = step("d", 5_000, 6_000, 1_000, { item: 2, iteration: 3 });
    const { rows } = timelineOf(view(), [...steps, items], 20_000);
    expect(rows.map(({ name }) => name)).toEqual(["a", "b", "d[2]"]);
    expect(rows[2]).toMatchObject({ iteration: 3 });
  });

  test("says how long blocks executed together: what ran at the same time counts once, waiting does not", () => {
    const steps = [step("a", 1_000, 3_000, 2_000), step("b", 2_000, 4_000, 2_000), step("asks", 4_000, 11_000, 500)];
    expect(timelineOf(view(), steps, 20_000).activeMs).toBe(3_500);
  });

  test("places instants by the clock, or by the time in which blocks executed", () => {
    const line = timelineOf(view(), [step("a", 1_000, 2_000, 1_000), step("b", 10_000, 11_000, 1_000)], 20_000);
    expect(line.at(6_000, "clock")).toBe(0.5);
    expect(line.at(6_000, "active")).toBe(0.5);
    expect(line.at(2_000, "clock")).toBe(0.1);
    expect(line.at(10_000, "active")).toBe(0.5);
    expect(line.at(10_500, "active")).toBe(0.75);
  });

  test("what waits lasts until now; what executes is taken from the view, since it has no record yet", () => {
    const waves = [
      {
        index: 0,
        blocks: [
          { id: "run", type: "T", status: "running", startedAt: 4_000 },
          { id: "each", type: "T", status: "running", startedAt: 5_000, items: [{ key: "0", status: "running", startedAt: 6_000 }] },
        ],
      },
    ];
    const open = view({ status: "running", waves } as unknown as Partial<RunView>);
    const { endedAt: _, ...running } = open;
    const { rows, endedAt } = timelineOf(running as RunView, [step("asks", 2_000, 2_500, 500, { status: "paused" })], 9_000);
    expect(rows.map(({ name, startedAt, endedAt: until, tookMs }) => [name, startedAt, until, tookMs])).toEqual([
      ["asks", 2_000, 9_000, 500],
      ["run", 4_000, 9_000, 5_000],
      ["each", 5_000, 9_000, 4_000],
      ["each[0]", 6_000, 9_000, 3_000],
    ]);
    expect(endedAt).toBe(9_000);
  });
});
