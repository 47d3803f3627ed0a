import { type Scope, isReference } from "../../src/core/expression/scope.ts";
import type { Comparator, Condition, Reference, Template } from "../../src/core/expression/syntax.ts";

export type Decided = boolean | "error";

/** What makes a condition an error. */
class Refusal extends Error {}

/** Reads a condition as the language reference says, one sentence after another, without any care for speed. */
export function decideNaively(condition: Condition, scope: Scope): Decided {
  try {
    return isTrue(valueOf(condition, scope));
  } catch (thrown) {
    if (thrown instanceof Refusal) return "error";
    throw thrown;
  }
}

function valueOf(node: Condition, scope: Scope): unknown {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "reference":
      return follow(node.reference, scope);
    case "text":
      return write(node.template, scope);
    case "list":
      return node.items.map((item) => valueOf(item, scope));
    case "not":
      return !isTrue(valueOf(node.operand, scope));
    case "and":
      for (const operand of node.operands) if (!isTrue(valueOf(operand, scope))) return false;
      return true;
    case "or":
      for (const operand of node.operands) if (isTrue(valueOf(operand, scope))) return true;
      return false;
    case "comparison": {
      let left = valueOf(node.operands[0]!, scope);
      for (const [i, { comparator }] of node.comparators.entries()) {
        const right = valueOf(node.operands[i + 1]!, scope);
        if (!compare(left, comparator, right)) return false;
        left = right;
      }
      return true;
    }
  }
}

function follow({ path }: Reference, scope: Scope): unknown {
  const keys = path.map((part) => {
    const key: unknown = isReference(part) ? follow(part, scope) : part;
    const isKey = typeof key === "string" ? !["__proto__", "constructor", "prototype", "__internal__"].includes(key) : isIndex(key);
    if (isReference(part) && !isKey) throw new Refusal();
    return key as string | number;
  });
  return scope.lookup(keys);
}

function isIndex(key: unknown): boolean {
  return typeof key === "number" && Number.isSafeInteger(key) && key >= 0;
}

function write({ parts }: Template, scope: Scope): string {
  return parts
    .map((part) => {
      const value = typeof part === "string" ? part : follow(part, scope);
      if (value === null) return "";
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    })
    .join("");
}

function isTrue(value: unknown): boolean {
  return !["false", "null", "0", '""', "[]", "{}"].includes(JSON.stringify(value)) && !Object.is(value, -0);
}

function compare(left: unknown, comparator: Comparator, right: unknown): boolean {
  switch (comparator) {
    case "==":
      return same(left, right);
    case "!=":
      return !same(left, right);
    case "in":
      return holds(right, left);
    case "not in":
      return !holds(right, left);
  }
  if (typeof left !== typeof right || (typeof left !== "number" && typeof left !== "string")) throw new Refusal();
  const [a, b] = [left, right as typeof left];
  const order = typeof a === "number" ? a - (b as number) : orderOfPoints([...a], [...(b as string)]);
  return comparator === "<" ? order < 0 : comparator === "<=" ? order <= 0 : comparator === ">" ? order > 0 : order >= 0;
}

function orderOfPoints(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((point, at) => point !== b[at]);
  if (i === -1) return a.length - b.length;
  return b[i] === undefined ? 1 : a[i]!.codePointAt(0)! - b[i].codePointAt(0)!;
}

function holds(collection: unknown, member: unknown): boolean {
  if (Array.isArray(collection)) return collection.some((item) => same(item, member));
  if (typeof member !== "string" || typeof collection === "number" || typeof collection === "boolean" || collection === null)
    throw new Refusal();
  return typeof collection === "string" ? collection.includes(member) : Object.keys(collection as object).includes(member);
}

function same(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`);
  return `{${members.join()}}`;
}
