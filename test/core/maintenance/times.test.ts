import { expect, test } from "vitest";
import { timesOf } from "../../../src/core/maintenance/schedules.ts";

const at = (text: string): number => Date.parse(text);
const shown = (times: readonly number[]): readonly string[] => times.map((time) => new Date(time).toISOString());

test("times go by the clocks of their zone: a time that a change of clocks leaves out comes as soon as it can, one that comes twice is one", () => {
  const { next, due } = timesOf({ cron: "30 2 * * *", timeZone: "Europe/Berlin", catchUp: "all" });
  expect(shown(due(at("2026-03-27T12:00:00Z"), at("2026-03-30T12:00:00Z")))).toEqual([
    "2026-03-28T01:30:00.000Z",
    "2026-03-29T01:00:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
  expect(shown(due(at("2026-10-24T12:00:00Z"), at("2026-10-26T12:00:00Z")))).toEqual([
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
  expect(shown([next(at("2026-10-25T00:30:00Z"))!])).toEqual(["2026-10-26T01:30:00.000Z"]);
});

test("a time is due at its very millisecond, and not before", () => {
  const { due } = timesOf({ cron: "0 8 * * *", catchUp: "none" });
  const time = at("2026-11-24T08:00:00Z");
  expect(due(time - 1_000, time - 1)).toEqual([]);
  expect(due(time - 1_000, time)).toEqual([time]);
  expect(due(time, time + 1_000)).toEqual([]);
});

test("there may be no next time", () => {
  expect(timesOf({ cron: "0 0 31 2 *" }).next(0)).toBeUndefined();
});
