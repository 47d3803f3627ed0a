import { expect, test } from "vitest";
import { shareCalls, spendCall } from "../../../src/core/runner/call-workflow.ts";
import { MAX_CALLED_RUNS } from "../../../src/core/model/limits.ts";

test("a run and those it calls have one number of calls together", () => {
  const [outermost, called, calledByIt, other] = [{}, {}, {}, {}];
  shareCalls(outermost, called);
  shareCalls(called, calledByIt);
  for (let call = 0; call < MAX_CALLED_RUNS; call++) spendCall([outermost, called, calledByIt][call % 3]!);
  for (const run of [outermost, called, calledByIt])
    expect(() => spendCall(run)).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
  expect(() => spendCall(other)).not.toThrow();
});
