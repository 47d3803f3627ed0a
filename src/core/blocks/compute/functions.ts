import { isEqual, order, typeName } from "../../expression/compare.ts";
import { isTrue } from "../../expression/evaluate.ts";
import { expressionError } from "../../expression/lexer.ts";
import { textOf } from "../../expression/render.ts";
import { splitText } from "../../model/find-text.ts";
import { type ErrorCode, type WorkflowError } from "../../model/errors.ts";
import type { Budget } from "./budget.ts";
import { daysBetween, monthsBetween, type readDay, yearsBetween } from "./dates.ts";
import { add, divide, type Rounding, roundTo } from "./decimal.ts";

/** What arguments may be: `lambda` is `x => …`, `later` is evaluated when it is asked for, and of `lenient` a missing member is null. */
interface Kinds {
  readonly value: unknown;
  readonly number: number;
  readonly integer: number;
  readonly text: string;
  readonly list: readonly unknown[];
  readonly object: { readonly [key: string]: unknown };
  readonly date: NonNullable<ReturnType<typeof readDay>>;
  readonly lambda: (item: unknown) => unknown;
  readonly later: () => unknown;
  readonly lenient: unknown;
}

export type Kind = keyof Kinds;

type Given<Wanted extends readonly Kind[]> = { readonly [Place in keyof Wanted]: Kinds[Wanted[Place]] };

/** Where a function is called, and what it pays with. */
export interface Call {
  readonly budget: Budget;
  readonly column: number;
}

/** A function that formulas may call: what the parser, the evaluator and the documentation know of it. */
export interface FormulaFunction {
  readonly name: string;
  /** As it is written in the documentation: `round(number[, places])`. */
  readonly form: string;
  /** What its arguments must be, those that may be left out included. */
  readonly takes: readonly Kind[];
  /** How many it needs at least. */
  readonly least: number;
  readonly apply: (call: Call, ...given: never[]) => unknown;
}

/** What adding one more number to others costs at most. */
const ADDITION_STEPS = 4;
/** What rounding a number costs at most. */
const ROUNDING_STEPS = 8;
/** Decimal places that one may round to, before and after the point. */
const MAX_PLACES = 15;

const LIST: readonly FormulaFunction[] = [
  define("abs(number)", ["number"], [], (_, number) => Math.abs(number)),
  define("all(list, x => condition)", ["list", "lambda"], [], (_, list, holds) => list.every((item) => isTrue(holds(item)))),
  define("any(list, x => condition)", ["list", "lambda"], [], (_, list, holds) => list.some((item) => isTrue(holds(item)))),
  define("average(list[, x => number])", ["list"], ["lambda"], (call, list, valueOf) => {
    if (list.length === 0) throw emptyList("average", call);
    return divide(total(call, list, valueOf), list.length);
  }),
  define("ceil(number[, places])", ["number"], ["integer"], (call, number, places) => round(call, "up", number, places)),
  define("count(value)", ["value"], [], count),
  define("days_between(from, to)", ["date", "date"], [], (_, from, to) => daysBetween(from, to)),
  define("default(value, otherwise)", ["lenient", "later"], [], (_, value, otherwise) => value ?? otherwise()),
  define("filter(list, x => condition)", ["list", "lambda"], [], (_, list, holds) => list.filter((item) => isTrue(holds(item)))),
  define("find(list, x => condition)", ["list", "lambda"], [], (_, list, holds) => list.find((item) => isTrue(holds(item))) ?? null),
  define("first(list)", ["list"], [], (_, list) => list[0] ?? null),
  // What is rounded already is the nearest number to a decimal of so many places: that is what it is written as.
  define("fixed(number, places)", ["number", "integer"], [], (call, number, places) => {
    if (places < 0) throw wrong(call, "EXPRESSION_TYPE", "fixed() takes 0 decimal places or more.");
    return round(call, "nearest", number, places).toFixed(places);
  }),
  define("flatten(list)", ["list"], [], (call, list) => {
    const items = list.flat();
    call.budget.spend(items.length, call.column);
    return items;
  }),
  define("floor(number[, places])", ["number"], ["integer"], (call, number, places) => round(call, "down", number, places)),
  define("if(condition, value, otherwise)", ["value", "later", "later"], [], (_, condition, value, otherwise) =>
    isTrue(condition) ? value() : otherwise(),
  ),
  define("join(list[, separator])", ["list"], ["text"], (call, list, separator = "") => {
    call.budget.spendWhole(list, call.column);
    call.budget.spendText(separator.length * list.length, call.column);
    return list.map(textOf).join(separator);
  }),
  define("keys(object)", ["object"], [], (call, object) => paidFor(call, Object.keys(object))),
  define("last(list)", ["list"], [], (_, list) => list.at(-1) ?? null),
  define("lower(text)", ["text"], [], (_, text) => text.toLowerCase()),
  define("map(list, x => value)", ["list", "lambda"], [], (_, list, valueOf) => list.map((item) => valueOf(item))),
  define("max(list[, x => value])", ["list"], ["lambda"], (call, list, valueOf) => most(call, "max", list, valueOf)),
  define("min(list[, x => value])", ["list"], ["lambda"], (call, list, valueOf) => most(call, "min", list, valueOf)),
  define("months_between(from, to)", ["date", "date"], [], (_, from, to) => monthsBetween(from, to)),
  define("number(value)", ["value"], [], toNumber),
  define("round(number[, places])", ["number"], ["integer"], (call, number, places) => round(call, "nearest", number, places)),
  define("sort(list[, x => value])", ["list"], ["lambda"], sort),
  define("split(text, separator)", ["text", "text"], [], (call, text, separator) => {
    if (separator === "") throw wrong(call, "EXPRESSION_TYPE", "split() needs a separator that is not empty.");
    return paidFor(call, splitText(text, separator));
  }),
  define("sum(list[, x => number])", ["list"], ["lambda"], total),
  define("take(list, count)", ["list", "integer"], [], (_, list, wanted) => list.slice(0, Math.max(0, wanted))),
  define("text(value)", ["value"], [], (call, value) => {
    call.budget.spendWhole(value, call.column);
    return textOf(value);
  }),
  define("trim(text)", ["text"], [], (_, text) => text.trim()),
  define("unique(list)", ["list"], [], unique),
  define("upper(text)", ["text"], [], (_, text) => text.toUpperCase()),
  define("values(object)", ["object"], [], (call, object) => paidFor(call, Object.values(object))),
  define("years_between(from, to)", ["date", "date"], [], (_, from, to) => yearsBetween(from, to)),
];

/** By name. */
export const FUNCTIONS: ReadonlyMap<string, FormulaFunction> = new Map(LIST.map((called) => [called.name, called]));

function define<const Wanted extends readonly Kind[], const Optional extends readonly Kind[]>(
  form: string,
  takes: Wanted,
  optional: Optional,
  apply: (call: Call, ...given: [...Given<Wanted>, ...Partial<Given<Optional>>]) => unknown,
): FormulaFunction {
  const name = form.slice(0, form.indexOf("("));
  // The evaluator has checked what it gives against `takes`.
  return { name, form, takes: [...takes, ...optional], least: takes.length, apply: apply as unknown as FormulaFunction["apply"] };
}

function total(call: Call, list: readonly unknown[], valueOf: (item: unknown) => unknown = same): number {
  return list.reduce((sum: number, item, i) => add(sum, asNumber(call, valueOf(item), i)), 0);
}

function asNumber(call: Call, value: unknown, i: number): number {
  call.budget.spend(ADDITION_STEPS, call.column);
  if (typeof value === "number") return value;
  const message = `Item ${i} is a ${typeName(value)}, and only numbers can be added up. Convert it with number(), or leave it out with filter().`;
  throw wrong(call, "EXPRESSION_TYPE", message);
}

function round(call: Call, rounding: Rounding, number: number, places = 0): number {
  call.budget.spend(ROUNDING_STEPS, call.column);
  if (Math.abs(places) <= MAX_PLACES) return roundTo(number, places, rounding);
  throw wrong(call, "EXPRESSION_TYPE", `A number is rounded to at most ${MAX_PLACES} places, not to ${places}.`);
}

function count(call: Call, value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return countCharacters(value);
  if (typeName(value) === "object") return Object.keys(value as object).length;
  throw wrong(call, "EXPRESSION_TYPE", `A ${typeName(value)} has nothing to count. count() takes a list, a text or an object.`);
}

function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}

/** The least or greatest of numbers, texts or dates. */
function most(call: Call, which: "min" | "max", list: readonly unknown[], valueOf: (item: unknown) => unknown = same): unknown {
  if (list.length === 0) throw emptyList(which, call);
  return list.map((item) => valueOf(item)).reduce((best, value) => ((which === "min") === compare(call, value, best) < 0 ? value : best));
}

function sort(call: Call, list: readonly unknown[], valueOf: (item: unknown) => unknown = same): readonly unknown[] {
  const keyed = list.map((item) => ({ item, value: valueOf(item) }));
  return keyed.toSorted((a, b) => compare(call, a.value, b.value)).map(({ item }) => item);
}

function compare(call: Call, left: unknown, right: unknown): number {
  const length = typeof left === "string" && typeof right === "string" ? Math.min(left.length, right.length) : 0;
  call.budget.spendText(length, call.column);
  const difference = order(left, right);
  if (difference !== undefined) return difference;
  const message = `A ${typeName(left)} and a ${typeName(right)} have no order. Compare numbers, or texts, or dates alone.`;
  throw wrong(call, "EXPRESSION_TYPE", message);
}

function unique(call: Call, list: readonly unknown[]): readonly unknown[] {
  const plain = new Set<unknown>();
  const others: unknown[] = [];
  return list.filter((item) => {
    if (typeof item !== "object" || item === null) return plain.size !== plain.add(item).size;
    for (const other of others) {
      call.budget.spendWhole(other, call.column);
      if (isEqual(item, other)) return false;
    }
    others.push(item);
    return true;
  });
}

const NUMBER = /^[+-]?\d{1,100}(?:\.\d{1,100})?(?:[eE][+-]?\d{1,4})?$/;

function toNumber(call: Call, value: unknown): number {
  if (typeof value === "number") return value;
  const text = typeof value === "string" ? value.trim() : "";
  if (NUMBER.test(text)) return Number(text);
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : `a ${typeName(value)}`;
  throw wrong(call, "EXPRESSION_TYPE", `${shown} is not written as a number. number() reads texts such as "12.5".`);
}

function paidFor<T>(call: Call, list: readonly T[]): readonly T[] {
  call.budget.spend(list.length, call.column);
  return list;
}

const same = (item: unknown): unknown => item;

function emptyList(name: string, call: Call): WorkflowError {
  return wrong(
    call,
    "ARITHMETIC_INVALID",
    `${name}() has nothing to look at: the list is empty. Ask with count() first: if(count(list) > 0, …, 0).`,
  );
}

function wrong({ column }: Call, code: ErrorCode, message: string): WorkflowError {
  return expressionError(code, column - 1, message);
}
