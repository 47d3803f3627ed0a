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
  expect(graphSvg(branches)).toContain("dashed: need not have run, or does not always lead on");
});

test("what undoes a block stands beside the plan", () => {
  expect(graphText(branches)).toContain("    undone by undo\n\nWhere the run fails or is cancelled\n  undo (EchoBlock)\n    undoes end\n");
  expect(graphMermaid(branches)).toContain("  end\n  b0 -.-> b1\n");
  expect(graphMermaid(branches)).toContain("  b4 -. undone by .-> b5\n");
  expect(graphSvg(branches).match(/<rect [^>]*rx="9"/g)).toHaveLength(5);
});
