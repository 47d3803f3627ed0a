import type { Value, Values } from "../../model/value.ts";
import { isRecord } from "../../model/value.ts";

/** One object laid over another: members that are objects in both are merged, everything else is replaced, lists and null included. */
export function mergeValues(under: Values, over: Values): Values {
  const merged = new Map<string, Value>(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const old = merged.get(key);
    merged.set(key, isObject(old) && isObject(value) ? mergeValues(old, value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: Value | undefined): value is Values {
  return isRecord(value);
}
