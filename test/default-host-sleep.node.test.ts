import { afterEach, expect, test, vi } from "vitest";
import { defaultHost } from "../src/default-host.ts";

afterEach(() => vi.useRealTimers());

// Only in Node: in a browser the test runner's own timers would be played too, sixty days of them.
test("sleeps longer than a timer can, and ends then too when it is aborted", async () => {
  vi.useFakeTimers();
  const days = 60 * 24 * 3_600_000;
  const { sleep } = defaultHost();
  let woke = false;
  void sleep(days).then(() => (woke = true));
  await vi.advanceTimersByTimeAsync(days - 1);
  expect(woke).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(woke).toBe(true);

  const controller = new AbortController();
  const aborted = sleep(days, controller.signal).catch((reason: unknown) => reason);
  await vi.advanceTimersByTimeAsync(days / 2);
  controller.abort(new Error("enough"));
  expect(await aborted).toEqual(new Error("enough"));
  expect(vi.getTimerCount()).toBe(0);
});
