import { expect, test } from "vitest";
import { parseRoute, runAddress, tagsAddress, workflowAddress } from "../../demo/router.ts";
import { agoText, durationText, goesOnAt, instantText, skipText, titleOf } from "../../demo/wording.ts";

test("names become titles", () => {
  expect(titleOf("coffee-subscription")).toBe("Coffee subscription");
  expect(titleOf("starter_kit")).toBe("Starter kit");
  expect(titleOf("ci-pipeline")).toBe("CI pipeline");
  expect(titleOf("wait_ms")).toBe("Wait (ms)");
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

test("a run's address leads back to it, for any id", () => {
  expect(parseRoute(runAddress("run_a/b c"))).toEqual({ page: "run", run: "run_a/b c" });
  expect(parseRoute("#/run/%E0%A4%A")).toEqual({ page: "home" });
  expect(parseRoute("")).toEqual({ page: "home" });
});

test("the addresses of workflows and of tags lead back to them", () => {
  expect(parseRoute(workflowAddress("http-retry"))).toEqual({ page: "workflow", workflow: "http-retry" });
  expect(parseRoute(tagsAddress(["for each", "a,b"]))).toEqual({ page: "examples", tags: ["for each", "a,b"] });
  expect(parseRoute(tagsAddress([]))).toEqual({ page: "examples", tags: [] });
});

test("an instant is shown as closely as it matters", () => {
  const now = new Date(2026, 10, 21, 14, 0, 0).getTime();
  expect(instantText(now + 10_000, now)).toBe("14:00:10");
  expect(instantText(now + 3_600_000, now)).toBe("15:00");
  expect(instantText(now + 86_400_000, now)).toBe("14:00 on 22 November 2026");
});

test("a block goes on when the first of its items does", () => {
  expect(goesOnAt({ until: 5 })).toBe(5);
  const items = [
    { key: "0", status: "waiting", until: 9 },
    { key: "1", status: "waiting", until: 7 },
    { key: "2", status: "completed" },
  ] as const;
  expect(goesOnAt({ items })).toBe(7);
});
