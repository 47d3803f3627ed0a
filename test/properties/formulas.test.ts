import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWorkflowError } from "wavepoint";
import { computeFormulas, checkFormulas } from "../../src/core/blocks/compute/formulas.ts";
import { add, divide, multiply, remainder, roundTo } from "../../src/core/blocks/compute/decimal.ts";
import { formulas, texts } from "./random-formula.ts";

const RUNS = { numRuns: "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 20_000 : 1_000 };

const VARIABLES = {
  rows: [
    { price: 0.1, name: "Ada" },
    { price: 2, name: "Bo" },
  ],
  object: JSON.parse('{"price": 1, "__proto__": {"polluted": true}}') as unknown,
  text: "2024-02-29",
  number: 7.25,
  nothing: null,
  x: [1, 2, 3],
  y: "length",
};

/** Nothing else than plain data may come of a formula: numbers are finite, objects have nothing but what was given to them. */
function isData(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every(isData);
  if (typeof value === "object" && value !== null) return Object.values(value).every(isData);
  return value === null || typeof value === "string" || typeof value === "boolean";
}

function compute(text: string): { readonly value: unknown } | { readonly code: string } {
  try {
    return { value: computeFormulas({ it: text }, VARIABLES)["it"] };
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    expect(thrown.place.column ?? 1).toBeGreaterThan(0);
    return { code: thrown.code };
  }
}

describe("any formula", () => {
  test("gives plain data, or an error with a place, and touches no prototype", () => {
    const before = JSON.stringify([Object.prototype, Array.prototype, Function.prototype].map((one) => Object.getOwnPropertyNames(one)));
    const met = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(formulas, texts), (text) => {
        const outcome = compute(text);
        met.add("code" in outcome ? outcome.code : "value");
        if ("value" in outcome) expect(isData(outcome.value)).toBe(true);
      }),
      RUNS,
    );
    expect(JSON.stringify([Object.prototype, Array.prototype, Function.prototype].map((one) => Object.getOwnPropertyNames(one)))).toBe(
      before,
    );
    expect([...met]).toEqual(expect.arrayContaining(["value", "EXPRESSION_SYNTAX", "EXPRESSION_TYPE", "REFERENCE_UNKNOWN"]));
  });

  test("gives the same each time, and a syntax that is refused in a run is refused at load", () => {
    fc.assert(
      fc.property(fc.oneof(formulas, texts), (text) => {
        const outcome = compute(text);
        expect(compute(text)).toEqual(outcome);
        const found = checkFormulas({ it: text }, Object.keys(VARIABLES)).map(({ code }) => code);
        if ("value" in outcome) expect(found).toEqual([]);
        if ("code" in outcome && outcome.code === "EXPRESSION_SYNTAX") expect(found).toEqual(["EXPRESSION_SYNTAX"]);
      }),
      RUNS,
    );
  });
});

describe("decimals", () => {
  const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  // The least numbers of all have too few digits to be compared.
  const any = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => number === 0 || Math.abs(number) > 1e-290);

  test("amounts in cents are added, taken away and multiplied as whole numbers are", () => {
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: -1_000, max: 1_000 }), (a, b, count) => {
        expect(add(a / 100, b / 100)).toBe((a + b) / 100 + 0);
        expect(multiply(a / 100, count) + 0).toBe((a * count) / 100 + 0);
        if (b !== 0) expect(remainder(a / 100, b / 100) + 0).toBe((a % b) / 100 + 0);
        if (b !== 0) expect(divide(a / 100, b / 100) + 0).toBe(a / b + 0);
      }),
      RUNS,
    );
  });

  test("what is rounded is a multiple, and no further away than half a place", () => {
    fc.assert(
      fc.property(cents, fc.nat(2), (a, places) => {
        const rounded = roundTo(a / 100, places, "nearest");
        const unit = 10 ** (2 - places);
        const up = Math.floor((Math.abs(a) + unit / 2) / unit) * unit;
        expect(rounded + 0).toBe((Math.sign(a) * up) / 100 + 0);
      }),
      RUNS,
    );
  });

  test("no pair of numbers makes them throw, or differ from the numbers of the platform by more than a hair", () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        for (const [ours, native] of [
          [add(a, b), a + b],
          [multiply(a, b), a * b],
          ...(b === 0 ? [] : [[divide(a, b), a / b] as const]),
        ] as const) {
          if (Number.isFinite(native))
            expect(Math.abs(ours - native)).toBeLessThanOrEqual(Math.max(Math.abs(native), Math.abs(a), Math.abs(b)) * 1e-15);
        }
        if (b !== 0) expect(Math.abs(remainder(a, b))).toBeLessThanOrEqual(Math.abs(b));
        roundTo(a, 2, "nearest");
      }),
      RUNS,
    );
  });
});
