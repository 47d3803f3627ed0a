import { expect, test } from "vitest";
import { graphSvg } from "wavepoint/graph";

/** Ten times as many blocks may take this many times as long: less than a hundred, which is what quadratic drawing takes. */
const MOST = 15;
/** Shorter times say nothing. */
const LEAST_MS = 8;

test.each<[string, (i: number) => readonly string[]]>([
  ["beside each other", () => []],
  ["one after another", (i) => (i > 0 ? [`b${i - 1}`] : [])],
  ["after one of the first hundred", (i) => (i < 100 ? [] : [`b${i % 100}`])],
])("drawing blocks that stand %s takes time in proportion to their number", { timeout: 60_000 }, (_, dependsOn) => {
  const timeOf = (count: number, times: number): number => {
    const blocks = Array.from({ length: count }, (_, i) => ({ id: `b${i}`, type: "EchoBlock", dependsOn: dependsOn(i) }));
    const took = Array.from({ length: times }, () => {
      // Time of the processor: other programs of the machine do not count.
      const start = process.cpuUsage();
      expect(graphSvg({ name: "large", blocks }).length).toBeGreaterThan(count);
      return process.cpuUsage(start).user / 1_000;
    });
    return Math.min(...took);
  };
  timeOf(1_000, 3);
  expect(timeOf(10_000, 5) / Math.max(timeOf(1_000, 8), LEAST_MS)).toBeLessThan(MOST);
});
