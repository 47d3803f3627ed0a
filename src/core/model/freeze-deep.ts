/** Freezes a list or a plain object and all that is in it; what is frozen already is not looked into. Gives the value itself. */
export function freezeDeep<T>(value: T): T {
  if (Object.isFrozen(value) || !isPlain(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeDeep(part);
  return value;
}

/** Bytes, dates and the like stay as they are. */
function isPlain(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
