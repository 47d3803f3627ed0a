import { describe, expect, test } from "vitest";
import { computeFormulas } from "../../../../src/core/blocks/compute/formulas.ts";
import { FUNCTIONS } from "../../../../src/core/blocks/compute/functions.ts";
import { isWorkflowError } from "../../../../src/core/model/errors.ts";

const VARIABLES = {
  weight: 81.5,
  height: 178,
  birth: "2000-02-29",
  rows: [
    { id: 1, name: "Ada", price: 0.1, count: 3 },
    { id: 2, name: "Bo", price: 0.2, count: 1, tags: ["x"] },
  ],
  answers: { sail: 3, row: 5 },
  nothing: null,
  when: new Date(Date.UTC(2026, 1, 28, 23)),
};

const valueOf = (formula: string): unknown => computeFormulas({ it: formula }, VARIABLES)["it"];

/** Code and column of what a formula fails with. */
function failureOf(formula: string): string {
  try {
    return `gave ${JSON.stringify(valueOf(formula))}`;
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    expect(thrown.place.path).toBe("formulas.it");
    expect(thrown.message).toMatch(/^Formula "it"/);
    return `${thrown.code} ${thrown.place.column}`;
  }
}

describe("numbers are what is written", () => {
  test.each<[string, number]>([
    ["0.1 + 0.2", 0.3],
    ["0.3 - 0.1", 0.2],
    ["1.1 * 1.15", 1.265],
    ["0.3 / 0.1", 3],
    ["0.3 % 0.1", 0],
    ["-7 % 3", -1],
    ["7.5 % 2", 1.5],
    ["1.1 ** 2", 1.21],
    ["2 ** -2", 0.25],
    ["2 ** 0.5", Math.SQRT2],
    ["-2 ** 2", -4],
    ["2 ** 3 ** 2", 512],
    ["1 / 3", 0.3333333333333333],
    ["2 / 3", 0.6666666666666666],
    ["-2 / 3", -0.6666666666666666],
    ["1e308 * 1e-308", 1],
    ["1e21 + 1", 1e21],
    ["123456789.01 + 0.02", 123456789.03],
    ["9007199254740991 + 2", 9007199254740992],
    ["10 - 3 - 2", 5],
    ["2 * 3 + 4 * 5", 26],
    ["2 * (3 + 4)", 14],
    ["- - 5", 5],
    ["0 * -5", 0],
    ["-0", 0],
  ])("%s", (formula, value) => {
    expect(valueOf(formula)).toBe(value);
  });

  test("and a long sum of cents has no cent too many", () => {
    const prices = Array.from({ length: 1_000 }, () => 0.01);
    expect(computeFormulas({ it: "sum(prices)" }, { prices })["it"]).toBe(10);
  });
});

describe("rounding goes from the middle away from zero", () => {
  test.each<[string, number | string]>([
    ["round(1.005, 2)", 1.01],
    ["round(-1.005, 2)", -1.01],
    ["round(2.5)", 3],
    ["round(-2.5)", -3],
    ["round(2.4999)", 2],
    ["round(1.1 * 1.15, 2)", 1.27],
    ["round(1234.5, -2)", 1200],
    ["round(1e-7, 2)", 0],
    ["round(-0.001, 2)", 0],
    ["round(1e21, 2)", 1e21],
    ["floor(-1.01, 1)", -1.1],
    ["floor(1.99)", 1],
    ["fixed(4850.5, 2)", "4850.50"],
    ["fixed(1.005, 2)", "1.01"],
    ["fixed(-0.001, 2)", "0.00"],
    ["fixed(2.5, 0)", "3"],
    ["ceil(1.01)", 2],
    ["ceil(-1.99)", -1],
    ["ceil(1.001, 2)", 1.01],
    ["abs(-3)", 3],
  ])("%s", (formula, value) => {
    expect(valueOf(formula)).toBe(value);
  });
});

describe("days", () => {
  test.each<[string, number]>([
    ["years_between(birth, '2026-02-28')", 25],
    ["years_between(birth, '2026-03-01')", 26],
    ["years_between(birth, when)", 25],
    ["years_between(birth, '2024-02-29T00:00Z')", 24],
    ["years_between('2026-03-01', birth)", -26],
    ["years_between('2026-03-01', '2026-02-01')", 0],
    ["months_between('2026-01-31', '2026-02-28')", 0],
    ["months_between('2026-01-31', '2026-03-31')", 2],
    ["days_between('2024-02-28', '2024-03-01')", 2],
    ["days_between('2023-02-28', '2023-03-01')", 1],
    ["days_between('2024-03-01', '2024-02-28')", -2],
    ["days_between('0001-01-01', '9999-12-31')", 3_652_058],
    ["days_between('2026-11-21T23:59:59.999+14:00', '2026-11-22T00:00Z')", 1],
  ])("%s", (formula, value) => {
    expect(valueOf(formula)).toBe(value);
  });

  test.each([
    "2023-02-29",
    "1900-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "28.2.2026",
    "2026-2-28",
    "2026",
    "",
    "2026-02-28 10:00",
    "20260228",
  ])("%s is none", (text) => {
    expect(failureOf(`days_between('${text}', '2026-01-01')`)).toBe("EXPRESSION_TYPE 1");
  });
});

describe("lists, texts and objects", () => {
  test.each<[string, unknown]>([
    ["sum(rows, row => row.price * row.count)", 0.5],
    ["sum([])", 0],
    ["average(values(answers))", 4],
    ["min(rows, row => row.price)", 0.1],
    ["max(['b', 'a'])", "b"],
    ["count(rows) + count('a😀') + count(answers)", 6],
    [
      "map(rows, row => { value: row.id, title: row.name + ', ' + text(row.price) })",
      [
        { value: 1, title: "Ada, 0.1" },
        { value: 2, title: "Bo, 0.2" },
      ],
    ],
    ["filter(rows, row => row.count > 1)[0].name", "Ada"],
    ["find(rows, row => row.id == 2).name", "Bo"],
    ["find(rows, row => row.id == 3)", null],
    ["any(rows, row => 'x' in default(row.tags, []))", true],
    ["all(rows, row => row.count > 1)", false],
    ["map(sort(rows, row => -row.price), row => row.id)", [2, 1]],
    ["sort([3, 1, 2])", [1, 2, 3]],
    ["unique([1, 1, '1', [1], [1], null, null])", [1, "1", [1], null]],
    ["flatten([[1], [2, [3]], 4])", [1, 2, [3], 4]],
    ["take([1, 2, 3], 2)", [1, 2]],
    ["[first([1, 2]), last([1, 2]), first([])]", [1, 2, null]],
    ["keys(answers)", ["sail", "row"]],
    [
      "map(rows, a => map(rows, b => a.id * b.id))",
      [
        [1, 2],
        [2, 4],
      ],
    ],
    ["join(['a', 1, null, true], '-')", "a-1--true"],
    ["split('a,b', ',')", ["a", "b"]],
    ["upper(trim('  ab ')) + lower('CD')", "ABcd"],
    ["text([1, { a: 'b' }])", '[1,{"a":"b"}]'],
    ["number(' 12.50 ') + number(1)", 13.5],
    ["default(rows[0].tags[0], 'none')", "none"],
    ["default(nothing, 7)", 7],
    ["default(nothing.deep.deeper, 7)", 7],
    ["default(0, 7)", 0],
    ["answers['sail']", 3],
    ["{ 'odd key': 1 }['odd key']", 1],
    ["if(weight > 80, 'a', 1 / 0)", "a"],
    ["if([], 1, 2)", 2],
    ["1 < 2 < 3 and not 3 < 2 or false", true],
    ["5 == '5'", false],
    ["'a' not in ['b'] and 'row' in answers", true],
    ["[1, 2,]", [1, 2]],
    ["'it\\'s \\u0041'", "it's A"],
    ["round(weight / (height / 100) ** 2, 1)", 25.7],
  ])("%s", (formula, value) => {
    expect(valueOf(formula)).toEqual(value);
  });

  test("a formula sees those before it", () => {
    expect(computeFormulas({ points: "sum(answers)", passed: "points >= 5" }, { answers: [2, 3] })).toEqual({ points: 5, passed: true });
  });
});

describe("what is wrong has a code and a place", () => {
  test.each<[string, string]>([
    ["1 / 0", "ARITHMETIC_INVALID 3"],
    ["1 % 0", "ARITHMETIC_INVALID 3"],
    ["0 ** -1", "ARITHMETIC_INVALID 3"],
    ["(-1) ** 0.5", "ARITHMETIC_INVALID 6"],
    ["10 ** 400", "ARITHMETIC_INVALID 4"],
    ["1e308 + 1e308", "ARITHMETIC_INVALID 7"],
    ["sum([1e308, 1e308, 1])", "ARITHMETIC_INVALID 1"],
    ["number('1e999')", "ARITHMETIC_INVALID 1"],
    ["average([])", "ARITHMETIC_INVALID 1"],
    ["max([])", "ARITHMETIC_INVALID 1"],
    ["1 + '1'", "EXPRESSION_TYPE 3"],
    ["nothing + 1", "EXPRESSION_TYPE 9"],
    ["-'1'", "EXPRESSION_TYPE 1"],
    ["'a' < 1", "EXPRESSION_TYPE 5"],
    ["1 in 2", "EXPRESSION_TYPE 3"],
    ["sum(['a'])", "EXPRESSION_TYPE 1"],
    ["sort([1, 'a'])", "EXPRESSION_TYPE 1"],
    ["round(1, 0.5)", "EXPRESSION_TYPE 1"],
    ["round(1, 16)", "EXPRESSION_TYPE 1"],
    ["upper(1)", "EXPRESSION_TYPE 1"],
    ["count(1)", "EXPRESSION_TYPE 1"],
    ["keys(rows)", "EXPRESSION_TYPE 1"],
    ["number('abc')", "EXPRESSION_TYPE 1"],
    ["split('a', '')", "EXPRESSION_TYPE 1"],
    ["rows[-1]", "EXPRESSION_TYPE 5"],
    ["rows[null]", "EXPRESSION_TYPE 5"],
    ["rows[0].nam", "REFERENCE_UNKNOWN 8"],
    ["rows[2]", "REFERENCE_UNKNOWN 5"],
    ["rows.length", "REFERENCE_UNKNOWN 5"],
    ["answers.toString", "REFERENCE_UNKNOWN 8"],
    ["weight.toFixed", "REFERENCE_UNKNOWN 7"],
    ["nothing.x", "REFERENCE_UNKNOWN 8"],
    ["wieght", "REFERENCE_UNKNOWN 1"],
    ["row => 1", "REFERENCE_UNKNOWN 1"],
    ["map(rows, row => row.id) + row", "REFERENCE_UNKNOWN 28"],
    ["answers.constructor", "REFERENCE_FORBIDDEN 9"],
    ["answers['__proto__']", "REFERENCE_FORBIDDEN 8"],
    ["default(answers['constr' + 'uctor'], 1)", "REFERENCE_FORBIDDEN 16"],
    ["{ __proto__: 1 }", "REFERENCE_FORBIDDEN 3"],
    ["constructor(1)", "EXPRESSION_SYNTAX 1"],
    ["toString()", "EXPRESSION_SYNTAX 1"],
    ["eval('1')", "EXPRESSION_SYNTAX 1"],
    ["rows.map(x => x)", "EXPRESSION_SYNTAX 9"],
    ["round()", "EXPRESSION_SYNTAX 1"],
    ["round(1, 2, 3)", "EXPRESSION_SYNTAX 1"],
    ["map(rows, rows)", "EXPRESSION_SYNTAX 11"],
    ["sum(x => x)", "EXPRESSION_SYNTAX 5"],
    ["1 + not true", "EXPRESSION_SYNTAX 5"],
    ["1 2", "EXPRESSION_SYNTAX 3"],
    ["", "EXPRESSION_SYNTAX 1"],
    ["1 +", "EXPRESSION_SYNTAX 4"],
    ["(1", "EXPRESSION_SYNTAX 3"],
    ["'a", "EXPRESSION_SYNTAX 1"],
    ["${inputs.x}", "EXPRESSION_SYNTAX 1"],
    ["'${inputs.x}'", "EXPRESSION_SYNTAX 1"],
    ["weight = 1", "EXPRESSION_SYNTAX 8"],
    ["weight ? 1 : 2", "EXPRESSION_SYNTAX 8"],
    ["1; 2", "EXPRESSION_SYNTAX 2"],
    ["01", "EXPRESSION_SYNTAX 1"],
    ["9007199254740993", "EXPRESSION_SYNTAX 1"],
    ["1e999", "EXPRESSION_SYNTAX 1"],
    [`${"(".repeat(60)}1${")".repeat(60)}`, "LIMIT_EXCEEDED 52"],
    [`${"-".repeat(60)}1`, "LIMIT_EXCEEDED 52"],
    [`1${" ".repeat(4_000)}`, "LIMIT_EXCEEDED 4001"],
  ])("%s", (formula, failure) => {
    expect(failureOf(formula)).toBe(failure);
  });

  test("a name that is a variable is none for a formula", () => {
    expect(() => computeFormulas({ weight: "1" }, VARIABLES)).toThrow(expect.objectContaining({ code: "ID_DUPLICATE" }));
  });
});

describe("every formula ends soon", () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => ({ price: i * 0.01, count: i, name: `${"x".repeat(100)}${i}` }));
  const given = { rows, long: "x".repeat(100_000), object: Object.fromEntries(rows.map((row, i) => [`k${i}`, row.count])) };

  test("10,000 rows are no problem", () => {
    expect(computeFormulas({ it: "sum(rows, row => row.price * row.count)" }, given)["it"]).toBe(3_332_833_350);
  });

  test.each([
    "sum(map(rows, a => sum(map(rows, b => a.price * b.price))))",
    "map(rows, a => map(rows, b => 1e300 % 1.7e-300))",
    "map(rows, a => map(rows, b => 1.23456789 ** 999))",
    "map(rows, a => map(rows, b => round(1.2345e-300, 15)))",
    "sort(map(rows, a => long))",
    "map(rows, a => sort(rows, b => b.count))",
    "map(rows, a => map(rows, b => [a, b, [a, b]]))",
    "map(rows, a => long + long)",
    "map(rows, a => split(long, 'x'))",
    "map(rows, a => upper(long))",
    "map(rows, a => count(long))",
    "map(rows, a => rows == rows)",
    "map(rows, a => a in rows)",
    "map(rows, a => text(rows))",
    "map(rows, a => keys(object))",
    "map(rows, a => flatten([rows, rows]))",
    "unique(map(rows, a => [a]))",
    "any(rows, a => any(rows, b => false))",
    "map(rows, a => map(rows, b => default(b.no.thing, 0)))",
    "map(rows, a => map(rows, b => days_between('2024-01-01', '2025-01-01')))",
    "join(map(rows, a => long), long)",
    `map(rows, a => [${"1,".repeat(1_900)}])`,
  ])("%s", (formula) => {
    const started = performance.now();
    expect(() => computeFormulas({ it: formula }, given)).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
    // A generous bound: what runs without an end takes minutes.
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("a list that holds one list many times is as large as it looks", () => {
    const doubled = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}`, i === 0 ? "[1, 1]" : `[d${i - 1}, d${i - 1}]`]));
    expect(() => computeFormulas(doubled, {})).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
  });
});

test("no function has a name that objects inherit", () => {
  expect(FUNCTIONS.size).toBeGreaterThan(30);
  expect([...FUNCTIONS.keys()].filter((name) => name in {})).toEqual([]);
});
