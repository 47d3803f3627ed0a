/** What makes one value out of another: it takes its place, or some of its parts change and some are gone. */
export type ViewPatch =
  { readonly value: unknown } | { readonly parts: readonly (readonly [key: string, ViewPatch])[]; readonly gone: readonly string[] };

/** What is different, or nothing where nothing is. What is the same object on both sides is not looked into. */
export function diffViews(before: unknown, after: unknown): ViewPatch | undefined {
  if (Object.is(before, after)) return undefined;
  if (!isMembers(before) || !isMembers(after) || !isAlike(before, after)) return { value: after };
  const parts = Object.entries(after).flatMap(([key, part]): [string, ViewPatch][] => {
    const patch = Object.hasOwn(before, key) ? diffViews(before[key], part) : { value: part };
    return patch ? [[key, patch]] : [];
  });
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return parts.length + gone.length > 0 ? { parts, gone } : undefined;
}

type Members = { readonly [key: string]: unknown };

/** Whether a value is a list or a plain object. */
function isMembers(value: unknown): value is Members {
  return Array.isArray(value) || (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype);
}

/** Whether both are lists of one length, or both objects. */
function isAlike(before: Members, after: Members): boolean {
  return Array.isArray(before) ? Array.isArray(after) && before.length === after.length : !Array.isArray(after);
}

/** The other value, frozen; parts that stay the same are the same objects. */
export function applyPatch(before: unknown, patch: ViewPatch): unknown {
  if ("value" in patch) return freezeDeep(patch.value);
  const members = new Map(Object.entries(before as object));
  for (const key of patch.gone) members.delete(key);
  for (const [key, part] of patch.parts) members.set(key, applyPatch(members.get(key), part));
  return Object.freeze(Array.isArray(before) ? [...members.values()] : Object.fromEntries(members));
}

/** Freezes lists and plain objects, as views of an executor in the page are. */
export function freezeDeep<T>(value: T): T {
  if (!isMembers(value)) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
