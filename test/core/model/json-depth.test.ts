import fc from "fast-check";
import { expect, test } from "vitest";
import { isDeeperThan } from "../../../src/core/model/json-depth.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("a text is as deep as what it says, and its strings do not count", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.string({ unit: fc.constantFrom("\\", '"', "[", "{", "a") }), (value, text) => {
      const nested = { [text]: [text, value, text] };
      const json = JSON.stringify(nested);
      const depth = depthOf(nested);
      expect(isDeeperThan(json, depth)).toBe(false);
      expect(isDeeperThan(json, depth - 1)).toBe(json.length > (depth - 1) * 2);
    }),
  );
});

test("a text that does not end is no trouble", () => {
  for (const json of ['["', '["\\', '["\\"', '"'.repeat(99), `"${"\\".repeat(99)}`, `[[[["${"\\".repeat(99)}"`]) {
    expect(isDeeperThan(json, 1)).toBe(json.startsWith("[["));
  }
});
