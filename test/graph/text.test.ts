import { expect, test } from "vitest";
import type { Workflow } from "wavepoint";
import { graphText } from "wavepoint/graph";
import { release } from "./release.ts";

test("names each block under its wave, with what it waits for and when it runs", () => {
  expect(graphText(release)).toBe(
    [
      "release: 4 blocks in 3 waves",
      "",
      "Wave 1",
      "  build (Shell)",
      "    Makes the files.",
      "  ask (ConfirmOperation)",
      "",
      "Wave 2",
      "  tests (Shell)",
      "    after build",
      "    if ${inputs.tested}",
      '    for each of ["unit","whole"]',
      "",
      "Wave 3",
      "  publish (HttpCall)",
      "    after ask, tests?, build",
      "",
    ].join("\n"),
  );
});

test("keeps to 80 columns", () => {
  const first = Array.from({ length: 40 }, (_, i) => ({ id: `block-number-${i}`, type: "EchoBlock" }));
  const last = { id: "last", type: "EchoBlock", dependsOn: first.map(({ id }) => id), condition: "${inputs.x} == 1 and ".repeat(9) };
  const lines = graphText({ name: "wide", blocks: [...first, last] }).split("\n");
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test("of blocks that wait for each other is refused", () => {
  const circle: Workflow = { name: "circle", blocks: [{ id: "a", type: "EchoBlock", dependsOn: ["a"] }] };
  expect(() => graphText(circle)).toThrow(expect.objectContaining({ code: "DEPENDENCY_CYCLE" }));
});
