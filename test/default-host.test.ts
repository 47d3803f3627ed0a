import { afterEach, expect, test, vi } from "vitest";
import { defaultHost } from "../src/default-host.ts";
import { packText, unpackText } from "../src/core/journal/values/pack-text.ts";

/** Of "abc". Source: FIPS 180-4, appendix B.1. */
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each([true, false])("texts and bytes have the same hash; where the page is secure: %s", async (isSecure) => {
  if (!isSecure) vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto), subtle: undefined });
  const host = defaultHost();
  expect(await host.hash("abc")).toBe(ABC);
  expect(await host.hash(new TextEncoder().encode("abc"))).toBe(ABC);
});

test("long texts are packed where the platform can", async () => {
  const text = "ä🌊 and so on ".repeat(5_000);
  const packed = await packText(text, defaultHost());
  expect(packed.length).toBeLessThan(text.length / 10);
  expect(await unpackText(packed, defaultHost())).toBe(text);
});

test("and stay as they are where it cannot", async () => {
  vi.stubGlobal("CompressionStream", undefined);
  const text = "ä🌊 and so on ".repeat(5_000);
  expect(await packText(text, defaultHost())).toBe(text);
});

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
