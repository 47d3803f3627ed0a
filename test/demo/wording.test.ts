import { expect, test } from "vitest";
import { parseRoute, runAddress, tagsAddress, workflowAddress } from "../../demo/router.ts";
import { titleOf } from "../../demo/wording.ts";

test("names become titles", () => {
  expect(titleOf("coffee-subscription")).toBe("Coffee subscription");
  expect(titleOf("starter_kit")).toBe("Starter kit");
  expect(titleOf("ci-pipeline")).toBe("CI pipeline");
  expect(titleOf("wait_ms")).toBe("Wait (ms)");
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
