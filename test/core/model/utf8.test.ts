import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8, encodeUtf8, utf8Length } from "../../../src/core/model/utf8.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function platformDecode(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

test("a text is encoded as the platform does it, and comes back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const bytes = encodeUtf8(text)!;
      expect(bytes).toEqual(new TextEncoder().encode(text));
      expect(utf8Length(text)).toBe(bytes.length);
      expect(decodeUtf8(bytes)).toBe(text);
    }),
  );
});

test("bytes are judged and read as the platform does it", () => {
  const lead = fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff, 0x9f, 0xa0, 0x8f, 0x90);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), fc.array(lead, { maxLength: 12 }), (any, likely) => {
      for (const bytes of [any, Uint8Array.from(likely)]) expect(decodeUtf8(bytes)).toBe(platformDecode(bytes));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["a longer form than needed", [0xc0, 0xaf]],
  ["a longer form of three bytes", [0xe0, 0x80, 0xaf]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["a code point past the last one", [0xf4, 0x90, 0x80, 0x80]],
  ["a character cut off", [0xe2, 0x82]],
  ["a following byte alone", [0x80]],
  ["bytes that never occur", [0xff, 0xfe, 0, 0xc3, 0x28]],
])("%s is no text", (_, bytes) => {
  expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
});

test("a lone surrogate cannot be encoded", () => {
  for (const text of ["\ud800", "a\udc00", "\ud800\ud800", "\udc00\ud800"]) expect(encodeUtf8(text)).toBeUndefined();
});

test("a byte order mark is kept", () => {
  expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
});

test("long texts cross every border between pieces", () => {
  for (const length of [8_190, 8_191, 8_192, 8_193, 20_000]) {
    const text = `${"x".repeat(length)}😀é`;
    expect(decodeUtf8(encodeUtf8(text)!)).toBe(text);
  }
});
