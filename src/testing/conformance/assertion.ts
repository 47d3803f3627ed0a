import { isWorkflowError } from "../../core/model/errors.ts";
import type { ErrorCode } from "../../core/model/errors.ts";
import { isRecord } from "../../core/model/value.ts";

/** Throws, naming the demand, where the two are not the same data. */
export function expectEqual(actual: unknown, expected: unknown, demand: string): void {
  if (same(actual, expected)) return;
  throw new Error(`${demand}: expected ${show(expected)}, got ${show(actual)}`);
}

/** Throws where the call does not reject with a `WorkflowError` of this code. */
export async function expectCode(call: () => Promise<unknown>, code: ErrorCode, demand: string): Promise<void> {
  let outcome: unknown;
  try {
    outcome = `resolved with ${show(await call())}`;
  } catch (error) {
    if (isWorkflowError(error) && error.code === code) return;
    outcome = error;
  }
  throw new Error(`${demand}: expected ${code}, got ${String(outcome)}`, { cause: outcome });
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 500);
}
