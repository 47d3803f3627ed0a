import { describe, expect, test } from "vitest";
import { examplesIn } from "./documents.ts";

const examples = examplesIn("json");

test("there are examples", () => {
  expect(examples.length).toBeGreaterThan(1);
});

describe("each example is JSON", () => {
  test.each(examples)("$place", ({ text }) => {
    expect(JSON.parse(text)).toBeTypeOf("object");
  });
});
