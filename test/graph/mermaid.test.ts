import { expect, test } from "vitest";
import { graphMermaid } from "wavepoint/graph";
import { hostile, release } from "./release.ts";

test("shows waves as columns, blocks as rounded boxes, and dashed arrows for ways that are not always taken", () => {
  expect(graphMermaid(release)).toBe(
    [
      "flowchart LR",
      '  subgraph w0["Wave 1"]',
      "    direction TB",
      '    b1("build<br/>Shell")',
      '    b2("ask<br/>ConfirmOperation")',
      "  end",
      '  subgraph w1["Wave 2"]',
      "    direction TB",
      '    b3("tests<br/>Shell<br/>if #36;#123;inputs.tested#125;<br/>for each of #91;#34;unit#34;,#34;whole#34;#93;")',
      "  end",
      '  subgraph w2["Wave 3"]',
      "    direction TB",
      '    b0("publish<br/>HttpCall")',
      "  end",
      "  b2 --> b0",
      "  b3 -.-> b0",
      "  b1 --> b0",
      "  b1 --> b3",
      "",
    ].join("\n"),
  );
});

test("takes what a workflow says as text only", () => {
  const [line, ...others] = graphMermaid(hostile)
    .split("\n")
    .filter((each) => each.includes("b0"));
  expect(others).toEqual([]);
  const [, label] = /^    b0\("(.*)"\)$/.exec(line!)!;
  expect(label!.replaceAll("<br/>", "").replaceAll(/#\d+;/g, "")).toMatch(/^[A-Za-z0-9 ,.:!?=/+-]*$/);
});
