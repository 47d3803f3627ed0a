import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64, encodeBase64 } from "../../../src/core/model/base64.ts";

test("bytes are encoded as the platform does it, and come back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = encodeBase64(bytes);
      expect(text).toBe(btoa(String.fromCharCode(...bytes)));
      expect(decodeBase64(text)).toEqual(bytes);
      expect(decodeBase64(text.replaceAll("=", ""))).toEqual(bytes);
    }),
  );
});

test("many bytes come back", () => {
  const bytes = Uint8Array.from({ length: 20_001 }, (_, i) => i * 7);
  expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
});

test("line ends and blanks are skipped", () => {
  expect(decodeBase64("aG\r\n k=\n")).toEqual(Uint8Array.of(0x68, 0x69));
});

test.each(["a", "aaaaa", "a=", "a===", "aGk==", "aG.k", "aG_k", "=aGk", "é", "aG=k"])("%s is no base64", (text) => {
  expect(decodeBase64(text)).toBeUndefined();
});
