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

test.each([20_001, 20_002, 20_003])("%i bytes are encoded as the platform does it, and come back", (length) => {
  const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
  expect(encodeBase64(bytes)).toBe(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
  expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
});

test("line ends and blanks are skipped", () => {
  expect(decodeBase64("aG\r\n k=\n")).toEqual(Uint8Array.of(0x68, 0x69));
});

/** Engines that decode base64 themselves are asked for long texts. */
const LONG = "aaaa".repeat(1_000);

test("a long text means what a short one does", () => {
  const bytes = decodeBase64("aaaa")!;
  const long = decodeBase64(`${LONG}aGk=`)!;
  expect(long.subarray(0, 3)).toEqual(bytes);
  expect(long.subarray(3_000)).toEqual(Uint8Array.of(0x68, 0x69));
  for (const end of ["aGk", "a G\r\nk\t=", "aGl=", "aG=="])
    expect(decodeBase64(LONG + end)?.subarray(3_000), end).toEqual(decodeBase64(end));
  for (const end of ["a", "aaaaa", "a=", "a===", "aGk==", "aG.k", "aG_k", "=aGk", "é", "aG=k", "aG\fk="]) {
    expect(decodeBase64(end), end).toBeUndefined();
    expect(decodeBase64(LONG + end), end).toBeUndefined();
  }
});

test.each(["a", "aaaaa", "a=", "a===", "aGk==", "aG.k", "aG_k", "=aGk", "é", "aG=k"])("%s is no base64", (text) => {
  expect(decodeBase64(text)).toBeUndefined();
});
