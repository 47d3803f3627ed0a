import { expect, test } from "vitest";
import { sleepUntilAborted } from "../../../src/core/runner/runner.ts";
import { fakeHost } from "../../../src/testing/index.ts";

test("a sleep that is ended early is no failure, and one of a broken host is", async () => {
  const host = fakeHost({});
  const controller = host.newAbortController();
  const slept = sleepUntilAborted(host, 1_000, controller.signal);
  controller.abort();
  await expect(slept).resolves.toBeUndefined();
  const broken = { ...host, sleep: () => Promise.reject(new Error("no timers")) };
  await expect(sleepUntilAborted(broken, 1_000, host.newAbortController().signal)).rejects.toThrow("no timers");
});
