import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../src/core/expression/pattern.ts";
import { MAX_PATTERN_LENGTH } from "../../../src/core/expression/read-pattern.ts";

/** Patterns that take exponential, cubic or quadratic time in engines that go back and try again. */
const SLOW_ELSEWHERE: readonly [pattern: string, text: string, starts: boolean][] = [
  ["^(a+)+$", `${"a".repeat(50_000)}!`, false],
  ["^(\\w+\\s?)*$", `${"a".repeat(50_000)}!`, false],
  ["^(a|a)*$", `${"a".repeat(50_000)}!`, false],
  ["(x+x+)+y", "x".repeat(50_000), false],
  ["(.*)*(.*)*x", "a".repeat(50_000), false],
  ["^(?:.*,){11}P", "1,".repeat(25_000), false],
  [
    "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
    `${"a".repeat(50_000)}!`,
    false,
  ],
  ["\\s+$", `${" ".repeat(60_000)}x`, false],
  ["^(?:\\p{L}|\\p{M})+$", "e\u0301".repeat(20_000), true],
];

const REFUSED: readonly [why: string, pattern: string, reason: string][] = [
  ["look-ahead", "(?=a)b", "(?="],
  ["look-behind", "(?<=a)b", "(?<="],
  ["a back-reference", "(a)\\1", "\\1"],
  ["nested counts", "((a{1,100}){1,100}){1,100}", "{1,100}"],
  ["a large count", "a{1,100000}", "100000"],
  ["many large counts", "(?:a{30}){30}b".repeat(20), "1200"],
  ["many classes repeated", "(?:a?){900}", "steps"],
  ["1,000 open brackets", "[".repeat(1_000), "missing closing ]"],
  ["5,000 groups", "(a)".repeat(5_000), "15000 characters"],
  ["more groups than are needed", "(a)".repeat(200), "200 groups"],
  ["too much text", "a".repeat(MAX_PATTERN_LENGTH + 1), "1001 characters"],
  ["an open group", "(a", "missing closing )"],
  ["nothing to repeat", "*a", "missing argument"],
];

describe("a pattern", () => {
  test("matches at the start, or anywhere", async () => {
    const pattern = await compilePattern("b+|c");
    expect(["b", "bbx", "ca", "ab", ""].map((text) => pattern.matchesStart(text))).toEqual([true, true, true, false, false]);
    expect(["b", "bbx", "ca", "ab", ""].map((text) => pattern.matchesAnywhere(text))).toEqual([true, true, true, true, false]);
  });

  test("may end with a comment-like text or hold its own flags", async () => {
    expect((await compilePattern("(?i)abc")).matchesStart("ABC")).toBe(true);
    expect((await compilePattern("a#")).matchesStart("a#")).toBe(true);
    expect((await compilePattern("(?m)^b")).matchesStart("a\nb")).toBe(false);
  });

  test("is compiled once", async () => {
    expect(await compilePattern("once")).toBe(await compilePattern("once"));
  });

  test("is forgotten when many others were used since", async () => {
    const first = await compilePattern("first");
    for (let index = 0; index < 100; index++) await compilePattern(`other${index}`);
    expect(await compilePattern("first")).not.toBe(first);
  });

  test.each(SLOW_ELSEWHERE)("S8: %s takes linear time", async (source, text, starts) => {
    const pattern = await compilePattern(source);
    expect(pattern.matchesStart(text)).toBe(starts);
    expect(pattern.matchesAnywhere(text)).toBe(starts);
  });

  test.each(REFUSED)("with %s is refused", async (_, source, reason) => {
    const error = await compilePattern(source).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "PATTERN_INVALID", message: expect.stringContaining(reason) });
  });

  test("always either compiles or is refused with PATTERN_INVALID", async () => {
    const piece = fc.constantFrom(
      "(",
      ")",
      "[",
      "]",
      "*",
      "+",
      "?",
      "{2}",
      "{1,3}",
      "|",
      "\\",
      "\\d",
      "\\p{L}",
      "a",
      ".",
      "^",
      "$",
      "(?:",
      "(?=",
      "é",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), fc.string(), async (pieces, text) => {
        const outcome: unknown = await compilePattern(pieces.join("")).then(
          (pattern) => typeof pattern.matchesStart(text),
          (thrown: { readonly code?: unknown }) => thrown.code,
        );
        expect(["boolean", "PATTERN_INVALID"]).toContain(outcome);
      }),
    );
  });
});
