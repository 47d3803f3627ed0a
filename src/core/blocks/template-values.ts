/**
 * The values of a template without bytes, in whose place stands nothing: nobody reads the content of a file in a text, and number by number it
 * would be larger than anything that may be printed. A file keeps its name, type and size. What holds no bytes is given back as it is.
 */
export function withoutBytes(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return null;
  if (Array.isArray(value)) {
    const items = value.map(withoutBytes);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const members = Object.entries(value).map(([name, member]) => ({ name, before: member as unknown, now: withoutBytes(member) }));
  return members.some(({ before, now }) => now !== before) ? Object.fromEntries(members.map(({ name, now }) => [name, now])) : value;
}
