import { indexOfText } from "../model/find-text.ts";
/** The words for types in messages about comparisons; only values of one type can be ordered. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  if (value instanceof Date) return "date";
  return typeof value;
}

/** Deep equality without any conversion: values of different types are different. */
export function isEqual(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    const type = typeName(a);
    if (type !== typeName(b)) return false;
    if (type === "null") continue;
    if (type === "date") {
      if ((a as Date).getTime() !== (b as Date).getTime()) return false;
    } else if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) pairs.push([a[i], b[i]]);
    } else if (type === "object") {
      const keys = Object.keys(a as object);
      if (keys.length !== Object.keys(b as object).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b as object, key)) return false;
        pairs.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]);
      }
    } else {
      return false;
    }
  }
  return true;
}

/** Below, equal or above zero, for two numbers, two texts or two dates; nothing for what has no order. */
export function order(left: unknown, right: unknown): number | undefined {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return orderTexts(left, right);
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  return undefined;
}

/** Whether a collection holds a member: an equal one in a list, a part of a text, a key of an object. Nothing where the types do not fit. */
export function contains(collection: unknown, member: unknown): boolean | undefined {
  if (Array.isArray(collection)) return collection.some((item) => isEqual(item, member));
  if (typeof member !== "string") return undefined;
  if (typeof collection === "string") return indexOfText(collection, member) >= 0;
  return typeName(collection) === "object" ? Object.hasOwn(collection as object, member) : undefined;
}

/** By code point. UTF-16 units sort the same, except that surrogates must come after the rest of the first plane. */
function orderTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) return lift(a) - lift(b);
  }
  return left.length - right.length;
}

function lift(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
