import { typeName } from "../../expression/compare.ts";
import { compareValues, isTrue } from "../../expression/evaluate.ts";
import { expressionError } from "../../expression/lexer.ts";
import { forbiddenKey, isForbiddenKey } from "../../expression/walk-path.ts";
import { type ErrorCode, isWorkflowError, WorkflowError } from "../../model/errors.ts";
import { adviseName, listNames } from "../../model/suggestions.ts";
import type { Budget } from "./budget.ts";
import { readDay } from "./dates.ts";
import { add, divide, multiply, power, remainder } from "./decimal.ts";
import type { Kind } from "./functions.ts";
import type { ComparedWith, Formula, Key, Operation, Operator } from "./syntax.ts";

/** What the names of a formula stand for: variables and earlier formulas, and the parameters of the lambdas around a place, innermost first. */
export interface Names {
  readonly variables: ReadonlyMap<string, unknown>;
  readonly parameter?: { readonly name: string; readonly value: unknown };
  readonly outer?: Names;
}

type Call = Formula & { readonly kind: "call" };

/**
 * The value of a formula. Throws `EXPRESSION_TYPE`, `ARITHMETIC_INVALID`, `REFERENCE_UNKNOWN`, `REFERENCE_FORBIDDEN` and `LIMIT_EXCEEDED` with the column in
 * its text.
 */
export function evaluateFormula(formula: Formula, names: Names, budget: Budget): unknown {
  return new Evaluation(budget).evaluate(formula, names);
}

class Evaluation {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  evaluate(node: Formula, names: Names): unknown {
    this.#budget.spend(1, "column" in node ? node.column : 1);
    switch (node.kind) {
      case "literal":
        return node.value;
      case "name":
        return lookUp(node, names);
      case "path":
        return this.#member(this.evaluate(node.root, names), node.keys, names);
      case "list":
        return node.items.map((item) => this.evaluate(item, names));
      case "object":
        return Object.fromEntries(node.members.map(([key, member]) => [key, this.evaluate(member, names)]));
      case "negative":
        return 0 - asNumber(this.evaluate(node.operand, names), node.column, "-");
      case "power":
        return this.#power(node, names);
      case "arithmetic":
        return node.rest.reduce((left, operation) => this.#operate(left, operation, names), this.evaluate(node.first, names));
      case "comparison":
        return this.#compare(node.first, node.rest, names);
      case "not":
        return !isTrue(this.evaluate(node.operand, names));
      case "and":
        return node.operands.every((operand) => isTrue(this.evaluate(operand, names)));
      case "or":
        return node.operands.some((operand) => isTrue(this.evaluate(operand, names)));
      case "call":
        return this.#call(node, names);
      case "lambda":
        return (value: unknown) => {
          this.#budget.spend(1, node.column);
          return this.evaluate(node.body, { ...names, parameter: { name: node.parameter, value }, outer: names });
        };
    }
  }

  /** Where it is lenient, what is missing is null. */
  #member(root: unknown, keys: readonly Key[], names: Names, { isLenient = false } = {}): unknown {
    return keys.reduce((value, { key, column }) => {
      if (isLenient && (value === null || value === undefined)) return null;
      const found = typeof key === "string" ? key : this.evaluate(key, names);
      if (typeof found !== "string" && !(Number.isSafeInteger(found) && (found as number) >= 0)) {
        throw wrong("EXPRESSION_TYPE", column, `A ${typeName(found)} cannot stand in brackets here. Write an index from 0 on, or a key.`);
      }
      this.#budget.spend(1, column);
      return isLenient && !hasMember(value, found as string | number) ? null : memberOf(value, found as string | number, column);
    }, root);
  }

  #operate(left: unknown, { operator, operand, column }: Operation, names: Names): unknown {
    const right = this.evaluate(operand, names);
    if (operator === "+" && typeof left === "string" && typeof right === "string") {
      this.#budget.spendText(left.length + right.length, column);
      return left + right;
    }
    this.#budget.spend(ARITHMETIC_STEPS, column);
    return finite(OPERATIONS[operator](asNumber(left, column, operator), asNumber(right, column, operator)), column, operator);
  }

  #power({ base, exponent, column }: Formula & { readonly kind: "power" }, names: Names): number {
    const [left, right] = [asNumber(this.evaluate(base, names), column, "**"), asNumber(this.evaluate(exponent, names), column, "**")];
    this.#budget.spend(POWER_STEPS, column);
    return finite(power(left, right), column, "**");
  }

  /** A chain of comparisons is their conjunction: one that is false decides. */
  #compare(first: Formula, rest: readonly ComparedWith[], names: Names): boolean {
    let left = this.evaluate(first, names);
    return rest.every(({ comparator, operand, column }) => {
      const right = this.evaluate(operand, names);
      this.#budget.spendWhole(left, column);
      this.#budget.spendWhole(right, column);
      const holds = compareValues(left, comparator, right, column);
      left = right;
      return holds;
    });
  }

  #call({ called, args, column }: Call, names: Names): unknown {
    const given = args.map((arg, i) => this.#argument(arg, called.takes[i]!, names, { column, name: called.name }));
    const result = inPlace(column, () => called.apply({ budget: this.#budget, column }, ...(given as never[])));
    return typeof result === "number" ? finite(result, column, `${called.name}()`) : result;
  }

  #argument(arg: Formula, kind: Kind, names: Names, call: { readonly column: number; readonly name: string }): unknown {
    if (kind === "later") return () => this.evaluate(arg, names);
    if (kind === "lenient" && arg.kind === "path")
      return this.#member(this.evaluate(arg.root, names), arg.keys, names, { isLenient: true });
    const value = this.evaluate(arg, names);
    if (typeof value === "string") this.#budget.spendText(value.length, call.column);
    if (Array.isArray(value)) this.#budget.spend(value.length, call.column);
    return take(value, kind, call, this.#budget);
  }
}

const OPERATIONS: { readonly [operator in Operator]: (left: number, right: number) => number } = {
  "+": add,
  "-": (left, right) => add(left, -right),
  "*": multiply,
  "/": divide,
  "%": remainder,
};
/** An operation on decimals takes this many times as long as another part of a formula, at most. */
const ARITHMETIC_STEPS = 4;
const POWER_STEPS = 40;
const DATE_STEPS = 8;

function lookUp({ name, column }: Formula & { readonly kind: "name" }, names: Names): unknown {
  for (let at: Names | undefined = names; at?.parameter; at = at.outer) if (at.parameter.name === name) return at.parameter.value;
  const { variables } = names;
  if (variables.has(name)) return variables.get(name);
  throw wrong("REFERENCE_UNKNOWN", column, `There is no variable "${name}".${adviseName(name, variables.keys()).sentence}`);
}

function hasMember(value: unknown, key: string | number): boolean {
  if (Array.isArray(value)) return typeof key === "number" && key < value.length;
  return isForbiddenKey(key) || typeName(value) !== "object" || Object.hasOwn(value as object, key);
}

/** An own member. Inherited members count as missing. */
function memberOf(value: unknown, key: string | number, column: number): unknown {
  if (isForbiddenKey(key)) throw forbiddenKey(key, column);
  if (Array.isArray(value)) {
    if (typeof key === "number" && key < value.length) return value[key];
    const message = `A list of ${value.length} has no ${JSON.stringify(key)}: it is indexed from 0, counted by count(), and map() looks at its items.`;
    throw wrong("REFERENCE_UNKNOWN", column, message);
  }
  if (typeName(value) !== "object") throw wrong("REFERENCE_UNKNOWN", column, `There is no ${JSON.stringify(key)} in a ${typeName(value)}.`);
  const record = value as { readonly [key: string]: unknown };
  if (Object.hasOwn(record, key)) return record[key];
  const names = Object.keys(record);
  const there = names.length === 0 ? "It is empty." : `It has: ${listNames(names)}.`;
  throw wrong(
    "REFERENCE_UNKNOWN",
    column,
    `The object has no ${JSON.stringify(key)}. ${there} default(value, otherwise) takes what may be missing.`,
  );
}

function take(value: unknown, kind: Kind, { column, name }: { readonly column: number; readonly name: string }, budget: Budget): unknown {
  switch (kind) {
    case "number":
      return asNumber(value, column, `${name}()`);
    case "integer":
      if (Number.isSafeInteger(value)) return value;
      throw wrong(
        "EXPRESSION_TYPE",
        column,
        `${name}() wants a whole number there, not ${typeof value === "number" ? value : `a ${typeName(value)}`}.`,
      );
    case "text":
      if (typeof value === "string") return value;
      throw wrong("EXPRESSION_TYPE", column, `${name}() wants a text, not a ${typeName(value)}. text() makes one of any value.`);
    case "list":
      if (Array.isArray(value)) return value;
      throw wrong("EXPRESSION_TYPE", column, `${name}() wants a list, not a ${typeName(value)}.`);
    case "object":
      if (typeName(value) === "object") return value;
      throw wrong("EXPRESSION_TYPE", column, `${name}() wants an object, not a ${typeName(value)}.`);
    case "date": {
      budget.spend(DATE_STEPS, column);
      const day = readDay(value);
      if (day) return day;
      const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : `a ${typeName(value)}`;
      throw wrong("EXPRESSION_TYPE", column, `${name}() wants dates as ISO 8601 writes them, such as "2026-02-28", and ${shown} is none.`);
    }
    default:
      return value;
  }
}

function asNumber(value: unknown, column: number, operator: string): number {
  if (typeof value === "number") return finite(value, column, operator);
  const way = value === null || value === undefined ? "default(value, 0) gives 0 for it" : "number() reads a text, text() writes a number";
  throw wrong(
    "EXPRESSION_TYPE",
    column,
    `"${operator}" wants numbers, and this is ${value === null ? "" : "a "}${typeName(value)}: ${way}.`,
  );
}

/** Zero has no sign here. */
function finite(value: number, column: number, operator: string): number {
  if (Number.isFinite(value)) return value === 0 ? 0 : value;
  const message = `The result of "${operator}" is no finite number: it divides by zero, or is too large. Ask first: if(count > 0, total / count, 0).`;
  throw wrong("ARITHMETIC_INVALID", column, message);
}

/** Errors of what knows no columns, at the one where it was asked. */
function inPlace<T>(column: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!isWorkflowError(thrown) || (thrown.place.column ?? 1) > 1) throw thrown;
    throw new WorkflowError(thrown.code, thrown.message, { place: { column }, details: thrown.details, cause: thrown.cause });
  }
}

function wrong(code: ErrorCode, column: number, message: string): WorkflowError {
  return expressionError(code, column - 1, message);
}
