import { WorkflowError } from "../model/errors.ts";
import type { Value } from "../model/value.ts";
import { contains, isEqual, order, typeName } from "./compare.ts";
import { renderText } from "./render.ts";
import { SKIPPED, type Scope, resolveReference } from "./scope.ts";
import type { Comparator, Comparison, Condition } from "./syntax.ts";

/** The value of a condition that cannot be known, because it looks at what a skipped block never produced. */
const UNKNOWN = SKIPPED;
type Truth = boolean | typeof UNKNOWN;

/**
 * Whether a canonical condition holds. False, null, 0, the empty text, list and object count as false. A comparison with a field of a
 * skipped block is unknown, `not` of the unknown too, and what is unknown in the end counts as false. `and` and `or` look at no more than
 * they need. Throws `EXPRESSION_TYPE` where values cannot be ordered or searched, and what the look-up throws.
 */
export function evaluateCondition(condition: Condition, scope: Scope): boolean {
  return truthOf(condition, scope) === true;
}

function truthOf(node: Condition, scope: Scope): Truth {
  const value = evaluate(node, scope);
  return value === UNKNOWN ? UNKNOWN : isTrue(value);
}

function evaluate(node: Condition, scope: Scope): unknown {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "reference":
      return resolveReference(node.reference, scope);
    case "text":
      return evaluateText(node, scope);
    case "list": {
      const items = node.items.map((item) => evaluate(item, scope));
      return items.includes(UNKNOWN) ? UNKNOWN : items;
    }
    case "not": {
      const operand = truthOf(node.operand, scope);
      return operand === UNKNOWN ? UNKNOWN : !operand;
    }
    case "and":
      return settle(node.operands, scope, false);
    case "or":
      return settle(node.operands, scope, true);
    case "comparison":
      return evaluateComparison(node, scope);
  }
}

/** What joined operands come to: `deciding` as soon as one of them does, else unknown where one is. */
function settle(operands: readonly Condition[], scope: Scope, deciding: boolean): Truth {
  let result: Truth = !deciding;
  for (const operand of operands) {
    const truth = truthOf(operand, scope);
    if (truth === deciding) return deciding;
    if (truth === UNKNOWN) result = UNKNOWN;
  }
  return result;
}

/** A text that holds a field of a skipped block is as unknown as the field. */
function evaluateText(node: Condition & { readonly kind: "text" }, scope: Scope): unknown {
  let isUnknown = false;
  const text = renderText(node.template, scope, (value) => {
    if (value !== UNKNOWN) return value;
    isUnknown = true;
    return null;
  });
  return isUnknown ? UNKNOWN : text;
}

/** A chain of comparisons is their conjunction: a pair that is false decides, even beside unknown pairs. */
function evaluateComparison(node: Comparison, scope: Scope): Truth {
  let result: Truth = true;
  let left = evaluate(node.operands[0]!, scope);
  for (const [i, { comparator, column }] of node.comparators.entries()) {
    const right = evaluate(node.operands[i + 1]!, scope);
    const isUnknown = left === UNKNOWN || right === UNKNOWN || (scope.isLenient && !isComparable(left, comparator, right));
    if (isUnknown) result = UNKNOWN;
    else if (!compareValues(left, comparator, right, column)) return false;
    left = right;
  }
  return result;
}

function isComparable(left: unknown, comparator: Comparator, right: unknown): boolean {
  if (comparator === "==" || comparator === "!=") return true;
  return (comparator === "in" || comparator === "not in" ? contains(right, left) : order(left, right)) !== undefined;
}

/** Whether a comparison holds. Throws `EXPRESSION_TYPE` where the values cannot be ordered or searched. */
export function compareValues(left: unknown, comparator: Comparator, right: unknown, column: number): boolean {
  switch (comparator) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "in":
    case "not in": {
      const found = contains(right, left);
      if (found === undefined) {
        throw typeError(
          `"${comparator}" cannot look for a ${typeName(left)} in a ${typeName(right)}. It looks in lists, for a text in a text, or for a key in an object.`,
          column,
        );
      }
      return found === (comparator === "in");
    }
    default: {
      const difference = order(left, right);
      if (difference === undefined) {
        throw typeError(
          `"${comparator}" cannot order a ${typeName(left)} and a ${typeName(right)}. Compare two numbers or two texts.`,
          column,
        );
      }
      if (comparator === "<") return difference < 0;
      if (comparator === "<=") return difference <= 0;
      return comparator === ">" ? difference > 0 : difference >= 0;
    }
  }
}

function typeError(message: string, column: number): WorkflowError {
  return new WorkflowError("EXPRESSION_TYPE", message, { place: { column } });
}

/** Whether a value counts as true: not false, null, 0, nor an empty text, list or object. */
export function isTrue(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value as Value);
  if (Array.isArray(value)) return value.length > 0;
  return value instanceof Date || Object.keys(value).length > 0;
}
