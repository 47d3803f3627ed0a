import type { ValueDifference } from "../../model/history.ts";
import { isPlain, type Value } from "../../model/value.ts";
import { memberPath } from "../../definition/definition.ts";
import { sameValue } from "../../model/fingerprint.ts";

/** Where two values stand, and how many differences may still be told. */
export interface DifferencePlace {
  /** As expressions write it. */
  readonly path: string;
  readonly found: { left: number };
}

/** A value that may be missing. */
export type Present = { readonly value: unknown } | undefined;

/** What is different in the second of two values, part by part. */
export function diffValues(before: Present, after: Present, { path, found }: DifferencePlace): ValueDifference[] {
  if (found.left < 0 || (!before && !after) || (before && after && sameValue(before.value, after.value))) return [];
  const [one, other] = [before?.value, after?.value];
  if (before && after && Array.isArray(one) && Array.isArray(other)) {
    const indexes = Array.from({ length: Math.max(one.length, other.length) }, (_, i) => i);
    return indexes.flatMap((i) => diffValues(item(one, i), item(other, i), { path: `${path}[${i}]`, found }));
  }
  // Dates, bytes and the like are different as a whole.
  if (before && after && isPlain(one) && isPlain(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return keys.flatMap((key) => diffValues(member(one, key), member(other, key), { path: memberPath(path, key), found }));
  }
  if (--found.left < 0) return [];
  return [{ path, ...(before ? { before: one as Value } : {}), ...(after ? { after: other as Value } : {}) }];
}

/** A member of an object, where it has one of that name. */
export function member(holder: object, key: string): Present {
  return Object.hasOwn(holder, key) ? { value: (holder as { readonly [key: string]: unknown })[key] } : undefined;
}

function item(list: readonly unknown[], index: number): Present {
  return index < list.length ? { value: list[index] } : undefined;
}
