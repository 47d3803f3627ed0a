import { expect, test } from "vitest";
import { graphSvg } from "wavepoint/graph";
import { hostile, release } from "./release.ts";

test.each([release, hostile])("%# is well-formed XML and draws something", (workflow) => {
  const text = graphSvg(workflow);
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  expect(parsed.querySelector("parsererror")).toBeNull();
  expect(parsed.querySelector("script, style, image, a, foreignObject, use")).toBeNull();
  expect(parsed.querySelectorAll("[data-block] > rect")).toHaveLength(workflow.blocks.length);
});

test("fits its labels into their boxes", () => {
  const place = document.createElement("div");
  document.body.append(place);
  const ids = ["a-quite-long-name-of-a-block", "summarise_measurements", "mmm", "APPROVE-RELEASE"];
  place.innerHTML = graphSvg({ name: "labels", blocks: ids.map((id) => ({ id, type: "ConfirmOperationInWriting" })) });
  const boxes = [...place.querySelectorAll("[data-block] > rect")];
  expect(boxes).toHaveLength(ids.length);
  for (const box of boxes) {
    const right = box.getBoundingClientRect().right;
    for (const label of box.parentElement!.querySelectorAll("text")) expect(label.getBoundingClientRect().right).toBeLessThan(right);
  }
  place.remove();
});

test("is as wide as its title and what explains its marks", () => {
  const place = document.createElement("div");
  document.body.append(place);
  const haul = { id: "haul", type: "EchoBlock", condition: "true", forEach: 3 };
  const fish = { id: "fish", type: "EchoBlock", repeatWhile: "false", writes: { kilos: 1 } };
  place.innerHTML = graphSvg({ name: "land-the-catch-of-the-morning-market", channels: { kilos: {} }, blocks: [haul, fish] });
  const lines = [...place.querySelectorAll("svg > text")];
  expect(lines).toHaveLength(2);
  expect(lines[1]!.textContent).toMatch(/condition.*each item.*repeats.*channels/);
  const { right } = place.querySelector("svg")!.getBoundingClientRect();
  for (const line of lines) expect(line.getBoundingClientRect().right).toBeLessThan(right);
  place.remove();
});
