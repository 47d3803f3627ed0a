import { expect, test } from "vitest";
import { agoText, durationText, instantText, skipText } from "../../../src/browser/dashboard/wording.ts";

test.each([
  [80, "80 ms"],
  [1_400, "1.4 s"],
  [125_000, "2 min 5 s"],
  [7_500_000, "2 h 5 min"],
  [266_400_000, "3 days 2 h"],
])("%i ms read as %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [0, "just now"],
  [50_000, "1 minute ago"],
  [7_200_000, "2 hours ago"],
  [90_000_000, "yesterday"],
])("%i ms ago read as %s", (ms, text) => {
  expect(agoText(1_000_000_000 - ms, 1_000_000_000)).toBe(text);
});

test("a skipped dependency is named", () => {
  expect(skipText({ kind: "dependency", block: "send_back" })).toBe("Skipped with send_back");
  expect(skipText({ kind: "dependency", block: "send_back" }, () => "Send back")).toBe("Skipped with Send back");
});

test("an instant is shown as closely as it matters", () => {
  const now = new Date(2026, 10, 21, 14, 0, 0).getTime();
  expect(instantText(now + 10_000, now)).toBe("14:00:10");
  expect(instantText(now + 3_600_000, now)).toBe("15:00");
  expect(instantText(now + 86_400_000, now)).toBe("14:00 on 22 November 2026");
});
