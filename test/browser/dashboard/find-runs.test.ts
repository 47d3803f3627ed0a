import { describe, expect, test } from "vitest";
import type { RunHead } from "wavepoint";
import { planFind } from "../../../src/browser/dashboard/find-runs.ts";
import { parseRoute, runAddress, runsAddress } from "../../../src/browser/dashboard/route.ts";

const head = (more: Partial<RunHead>): RunHead => ({ id: "run_abc", workflow: "order", pauses: [], ...more }) as RunHead;

describe("what is looked for", () => {
  test("values by name are found by the store", () => {
    expect(planFind({ status: "failed", find: 'plan=team seats=2  zip="02134"' })).toEqual({
      query: { topLevel: true, status: "failed", where: { plan: "team", seats: 2, zip: "02134" } },
    });
  });

  test.each([
    ["a part of the id", "ABC", {}],
    ["a label", "of ada", { label: "Order of Ada" }],
    ["a question", "what shall", { pauses: [{ id: "p", path: [], prompt: "What shall we cook?" }] }],
    ["an error, by its code or its message", "file_missing", { error: { code: "FILE_MISSING", message: "There is no file." } }],
    ["a value", "team", { search: { plan: "team" } }],
    ["a text with an equals sign among other words", "is a=b", { label: "This is a=b" }],
  ] as const)("any other text is %s", (_, find, more) => {
    const { query, matches } = planFind({ find });
    expect(query).toEqual({ topLevel: true });
    expect(matches!(head(more as Partial<RunHead>))).toBe(true);
    expect(matches!(head({ id: "run_x", label: "another" }))).toBe(false);
  });
});

describe("an address", () => {
  test.each([{}, { status: "failed" }, { workflow: "a&b" }, { status: "paused", workflow: "order", find: "customer=Ada 50 %" }] as const)(
    "of a list leads back to its filter: %o",
    (filter) => {
      expect(parseRoute(runsAddress(filter))).toEqual({ page: "runs", filter });
    },
  );

  test("of a run leads back to it, and to the part that is open", () => {
    expect(parseRoute(runAddress("run_a/b"))).toEqual({ page: "run", run: "run_a/b", part: "graph" });
    expect(parseRoute(runAddress("run_1", "journal"))).toEqual({ page: "run", run: "run_1", part: "journal" });
  });

  test.each(["", "#", "#/elsewhere", "#/run/", "#/run/%E0%A4%A", "#/?status=odd"])("that names nothing leads to all runs: %s", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "runs", filter: {} });
  });
});
