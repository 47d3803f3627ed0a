import { afterEach, expect, test, vi } from "vitest";
import { defaultHost } from "../src/default-host.ts";
import { packText, unpackText } from "../src/core/journal/values/pack-text.ts";

/** Of "abc". Source: FIPS 180-4, appendix B.1. */
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

afterEach(() => vi.unstubAllGlobals());

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
