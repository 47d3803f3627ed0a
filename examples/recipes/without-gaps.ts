import type { Value } from "wavepoint";

/** What a form library holds, as an answer: members without a value are left out. */
export function withoutGaps(data: unknown): Value | undefined {
  if (Array.isArray(data)) return data.map((item) => withoutGaps(item) ?? null);
  if (typeof data !== "object" || data === null || Object.getPrototypeOf(data) !== Object.prototype) return data as Value | undefined;
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, withoutGaps(value)!]));
}
