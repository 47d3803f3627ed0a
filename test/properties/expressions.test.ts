import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWorkflowError } from "wavepoint";
import { evaluateCondition } from "../../src/core/expression/evaluate.ts";
import { parseCondition } from "../../src/core/expression/parse-condition.ts";
import { parseTemplate } from "../../src/core/expression/parse-template.ts";
import { conditionReferences, templateReferences } from "../../src/core/expression/references.ts";
import { renderTemplate } from "../../src/core/expression/render.ts";
import type { Scope } from "../../src/core/expression/scope.ts";
import type { Condition } from "../../src/core/expression/syntax.ts";
import { decideNaively, type Decided } from "./naive-evaluator.ts";
import { printCondition, printTemplate } from "./print-expression.ts";
import { conditions, HOSTILE_TEXTS, references, templates, withoutColumns } from "./random-expression.ts";

const RUNS = { numRuns: "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 20_000 : 1_000 };

/** What a run may hold, the keys and texts of attackers included. */
const values = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_TEXTS, null, true, false, 0, 1, "", [], {}, [null], JSON.parse('{"__proto__": {"polluted": true}}')),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A scope in which every path leads to something, always the same for the same path; and what was looked up. */
function scopeOf(pool: readonly unknown[]): { readonly scope: Scope; readonly seen: string[] } {
  const seen: string[] = [];
  const lookup = (path: readonly (string | number)[]): unknown => {
    const key = JSON.stringify(path);
    seen.push(key);
    return pool[key.length % pool.length];
  };
  return { scope: { lookup }, seen };
}

function freeze<T>(tree: T): T {
  if (typeof tree === "object" && tree !== null) Object.values(Object.freeze(tree)).forEach(freeze);
  return tree;
}

/** What a call comes to: a value, or the code of what it throws. */
function outcomeOf<T>(call: () => T): { readonly value: T } | { readonly code: string } {
  try {
    return { value: call() };
  } catch (thrown) {
    if (isWorkflowError(thrown)) return { code: thrown.code };
    throw thrown;
  }
}

describe("printing and parsing", () => {
  test("a condition that is printed and parsed is the same condition", () => {
    fc.assert(
      fc.property(conditions, (tree) => {
        expect(withoutColumns(parseCondition(printCondition(tree)))).toEqual(withoutColumns(tree));
      }),
      RUNS,
    );
  });

  test("a template that is printed and parsed is the same template", () => {
    fc.assert(
      fc.property(templates, (tree) => {
        expect(withoutColumns(parseTemplate(printTemplate(tree)))).toEqual(withoutColumns(tree));
      }),
      RUNS,
    );
  });

  test("all that can be parsed can be printed, and means the same then", () => {
    const piece = fc.constantFrom(
      ..."${inputs.a}|${a['b c'][0]}|${a[b.c].${d}}|'|\"|x|1|-2.5e3|0|true|None|not|in|and|or|==|!=|<|<=|>|>=|(|)|[|]|,| | |\\n|$${|$|'a'|\"${b.c} d\"".split(
        "|",
      ),
    );
    let parsed = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = pieces.join(" ");
        const tree = outcomeOf(() => parseCondition(text));
        if ("value" in tree) {
          parsed++;
          expect(withoutColumns(parseCondition(printCondition(tree.value)))).toEqual(withoutColumns(tree.value));
        }
        const template = outcomeOf(() => parseTemplate(pieces.join("")));
        // Behind a text that ends with "$" a reference can only be printed in quotes.
        if ("value" in template && !template.value.parts.some((part) => typeof part === "string" && part.endsWith("$"))) {
          expect(withoutColumns(parseTemplate(printTemplate(template.value)))).toEqual(withoutColumns(template.value));
        }
      }),
      { numRuns: RUNS.numRuns * 3 },
    );
    // About 130 of 3,000; far fewer would mean that the pieces no longer make conditions.
    expect(parsed).toBeGreaterThan(50);
  });
});

describe("values and conditions", () => {
  const pools = fc.array(values, { minLength: 1, maxLength: 5 });

  test("S2: no value changes the tree of a condition", () => {
    fc.assert(
      fc.property(conditions, pools, (drawn, pool) => {
        const tree: Condition = freeze(parseCondition(printCondition(drawn)));
        const before = JSON.stringify(tree);
        outcomeOf(() => evaluateCondition(tree, scopeOf(pool).scope));
        expect(JSON.stringify(tree)).toBe(before);
      }),
      RUNS,
    );
  });

  test("a condition holds exactly where a simple reading of its tree holds", () => {
    const seen = { true: 0, false: 0, error: 0 };
    fc.assert(
      fc.property(conditions, pools, (tree, pool) => {
        const expected: Decided = decideNaively(tree, scopeOf(pool).scope);
        const actual = outcomeOf(() => evaluateCondition(tree, scopeOf(pool).scope));
        expect("value" in actual ? actual.value : "error").toBe(expected);
        seen[`${expected}`]++;
      }),
      RUNS,
    );
    expect(Math.min(seen.true, seen.false, seen.error)).toBeGreaterThan(10);
  });

  test("each reference is looked up at most once", () => {
    fc.assert(
      fc.property(conditions, pools, (tree, pool) => {
        const { scope, seen } = scopeOf(pool);
        outcomeOf(() => evaluateCondition(tree, scope));
        expect(seen.length).toBeLessThanOrEqual(conditionReferences(tree).length);
      }),
      RUNS,
    );
  });
});

describe("nested references", () => {
  test("come to an end after as many look-ups as there are references, with any data", () => {
    fc.assert(
      fc.property(templates, fc.array(fc.constantFrom<unknown>(...HOSTILE_TEXTS, 0, 7), { minLength: 1 }), (tree, pool) => {
        const { scope, seen } = scopeOf(pool);
        const outcome = outcomeOf(() => renderTemplate(tree, scope));
        const count = templateReferences(tree).length;
        if ("value" in outcome) expect(seen).toHaveLength(count);
        else expect(seen.length).toBeLessThanOrEqual(count);
      }),
      RUNS,
    );
  });

  test("data come out as they are, however much they look like a reference", () => {
    fc.assert(
      fc.property(references, fc.constantFrom(...HOSTILE_TEXTS), (reference, data) => {
        const { scope } = scopeOf([data]);
        const outcome = outcomeOf(() => renderTemplate({ parts: ["<", reference, ">"] }, scope));
        const isForbidden = data === "__proto__" || data === "constructor";
        if ("value" in outcome) expect(outcome.value).toBe(`<${data}>`);
        else expect(isForbidden && outcome.code).toBe("REFERENCE_FORBIDDEN");
      }),
      RUNS,
    );
  });
});

test("S3: nothing of this has changed the prototype of objects", () => {
  expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(PROTOTYPE_NAMES);
  expect({}).not.toHaveProperty("polluted");
});

const PROTOTYPE_NAMES = [
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
];
