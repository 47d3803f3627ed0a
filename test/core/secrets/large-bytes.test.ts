import { describe, expect, test } from "vitest";
import { Masker } from "../../../src/core/secrets/masker.ts";
import { bytesOf } from "../journal/values/give-value.ts";
import { CANARY, ENCODINGS, leaksIn } from "./canary.ts";

const LENGTH = 300_000;
/** Some of them where one part ends that is looked at as a whole. */
const PLACES = [0, 1_000, 131_020, 131_064, 262_000, LENGTH - 1_000];
const masker = new Masker([CANARY]);

/** Bytes with a text at all places. */
function withText(bytes: Uint8Array, text: string): Uint8Array {
  const copy = bytes.slice();
  for (const at of PLACES) copy.set(new TextEncoder().encode(text), at);
  return copy;
}

describe.each<readonly [what: string, bytes: Uint8Array]>([
  ["a large text", new Uint8Array(LENGTH).fill(0x20)],
  ["a large text with characters of several bytes", new TextEncoder().encode("ä🌊".repeat(LENGTH / 6))],
  ["a large file that is no text", bytesOf(LENGTH)],
])("in %s", (_what, bytes) => {
  test.each(Object.keys(ENCODINGS))("a secret is masked wherever it stands: %s", (name) => {
    const masked = masker.bytes(withText(bytes, `  ${ENCODINGS[name]!(CANARY)}  `))!;
    expect(masked.length).toBe(bytes.length);
    for (const encoding of ["utf-8", "latin1"]) expect(leaksIn(new TextDecoder(encoding).decode(masked))).toEqual([]);
  });

  test("what holds no secret is left alone", () => {
    expect(masker.bytes(bytes)).toBeUndefined();
  });
});
