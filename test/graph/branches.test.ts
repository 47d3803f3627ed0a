import { expect, test } from "vitest";
import type { Workflow } from "wavepoint";
import { graphMermaid, graphSvg, graphText } from "wavepoint/graph";

const branches: Workflow = {
  name: "branches",
  blocks: [
    { id: "route", type: "EchoBlock", next: [{ to: "left", when: "${inputs.left}" }, "right"], onFailure: "rescue" },
    { id: "left", type: "EchoBlock" },
    { id: "right", type: "EchoBlock" },
    { id: "rescue", type: "EchoBlock" },
    { id: "end", type: "EchoBlock", dependsOn: ["left", "right"], join: "any", compensate: "undo" },
    { id: "undo", type: "EchoBlock" },
  ],
};

test("ways that are taken or not are marked, and said of the block that takes them", () => {
  const text = graphText(branches);
  expect(text).toContain("    next left if ${inputs.left}\n    else right\n    where it fails rescue\n");
  expect(text).toContain("  left (EchoBlock)\n    after route?\n");
  expect(text).toContain("    after left, right\n    after any of them\n");
});

test("they are dashed", () => {
  expect(graphMermaid(branches)).toContain("  b0 -.-> b1\n");
  expect(graphMermaid(branches)).toContain("  b1 --> b4\n");
  expect(graphSvg(branches)).toContain("dashed: optional path");
});

test("what undoes a block stands beside the plan", () => {
  expect(graphText(branches)).toContain("    undone by undo\n\nWhere the run fails or is cancelled\n  undo (EchoBlock)\n    undoes end\n");
  expect(graphMermaid(branches)).toContain("  end\n  b0 -.-> b1\n");
  expect(graphMermaid(branches)).toContain("  b4 -. undone by .-> b5\n");
  const svg = graphSvg(branches);
  expect(svg.match(/<rect [^>]*rx="9"/g)).toHaveLength(6);
  expect(svg.match(/>(?:Wave \d|Undoing)</g)).toEqual([">Wave 1<", ">Wave 2<", ">Wave 3<", ">Undoing<"]);
  expect(svg).toContain("6 blocks");
  expect(svg).toContain("dotted: undone by, where the run fails or is cancelled");
  expect(svg.match(/<path stroke-dasharray="1 4"/g)).toHaveLength(1);
  expect(graphSvg({ name: "plain", blocks: [{ id: "a", type: "EchoBlock" }] })).not.toMatch(/Undoing|dotted/);
});

test("blocks that undo others stand each in its own place, with a line from what they undo", () => {
  const block = (id: string, compensate?: string) => ({ id, type: "EchoBlock", ...(compensate === undefined ? {} : { compensate }) });
  const svg = graphSvg({ name: "both", blocks: [block("a", "undo"), block("b"), block("c", "back"), block("undo"), block("back")] });
  const places = [...svg.matchAll(/<rect x="(\d+)" y="([\d.]+)" [^>]*rx="9"/g)].map(([, x, y]) => `${x} ${y}`);
  expect(places).toHaveLength(5);
  expect(new Set(places).size).toBe(5);
  expect(/<path stroke-dasharray="1 4" d="([^"]*)"/.exec(svg)![1]!.match(/M/g)).toHaveLength(2);
});
