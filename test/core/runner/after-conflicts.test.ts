import { expect, test } from "vitest";
import { WorkflowError } from "wavepoint";
import { fakeHost } from "wavepoint/testing";
import { afterConflicts } from "../../../src/core/runner/after-conflicts.ts";

test("who is outrun each time gives up, and memory forgets what was not stored", async () => {
  let written = 0;
  let looked = 0;
  const write = async (): Promise<void> => {
    written++;
    throw new WorkflowError("STORE_CONFLICT", "Another writer was first.", { details: { run: "run_1" } });
  };
  const lookAgain = async (): Promise<void> => void looked++;
  await expect(afterConflicts(fakeHost({ autoAdvance: true }), write, lookAgain)).rejects.toMatchObject({
    code: "STORE_CONFLICT",
    message: expect.stringContaining("Nothing was recorded"),
    details: { run: "run_1" },
  });
  expect(written).toBeGreaterThan(10);
  expect(looked).toBe(written);
});
