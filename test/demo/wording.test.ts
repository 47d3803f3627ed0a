import { expect, test } from "vitest";
import { parseRoute, runAddress } from "../../demo/router.ts";
import { questionText } from "../../demo/question-text.ts";
import { agoText, durationText, skipText, titleOf } from "../../demo/wording.ts";

test("names become titles", () => {
  expect(titleOf("coffee-subscription")).toBe("Coffee subscription");
  expect(titleOf("starter_kit")).toBe("Starter kit");
});

test.each([
  [80, "80 ms"],
  [1_400, "1.4 s"],
  [125_000, "2 min 5 s"],
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
  expect(skipText({ kind: "dependency", block: "send_back" })).toBe("Skipped with Send back");
});

test("a run's address leads back to it, whatever its id holds", () => {
  expect(parseRoute(runAddress("run_a/b c"))).toEqual({ page: "run", run: "run_a/b c" });
  expect(parseRoute("#/run/%E0%A4%A")).toEqual({ page: "home" });
  expect(parseRoute("")).toEqual({ page: "home" });
});

test("a prompt without known instructions is left as it is", () => {
  expect(questionText({ prompt: "Name?\n\nAs on the card." })).toBe("Name?\n\nAs on the card.");
});
