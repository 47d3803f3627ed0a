import { expect, test } from "vitest";
import { timeScale } from "../../../src/browser/dashboard/time-scale.ts";

test("without gaps time passes evenly", () => {
  const place = timeScale({ from: 0, to: 1_000 }, [{ from: 0, to: 1_000 }]);
  expect([0, 250, 1_000].map(place)).toEqual([0, 0.25, 1]);
});

test("a day of waiting takes no more room than a minute, and work takes the rest", () => {
  const DAY = 86_400_000;
  const place = timeScale({ from: 0, to: 1_000 + DAY }, [
    { from: 0, to: 500 },
    { from: 500 + DAY, to: 1_000 + DAY },
  ]);
  const short = timeScale({ from: 0, to: 61_000 }, [
    { from: 0, to: 500 },
    { from: 60_500, to: 61_000 },
  ]);
  expect(place(500)).toBeCloseTo(short(500));
  expect(place(500 + DAY)).toBeCloseTo(short(60_500));
  expect(place(500)).toBeGreaterThan(0.4);
  expect(place(1_000 + DAY)).toBeCloseTo(1);
});

test("places never go back, however work overlaps, and stay on the line", () => {
  const work = [
    { from: 100, to: 900 },
    { from: 200, to: 300 },
    { from: 5_000, to: 5_100 },
    { from: 5_050, to: 7_000 },
  ];
  const place = timeScale({ from: 0, to: 9_000 }, work);
  const places = Array.from({ length: 100 }, (_, i) => place(i * 100 - 500));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.every((at) => at >= 0 && at <= 1)).toBe(true);
});

test("a run that has only begun is at its beginning", () => {
  expect(timeScale({ from: 5, to: 6 }, [])(5)).toBe(0);
});
