import { WorkflowError } from "../../model/errors.ts";
import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../../model/limits.ts";
import type { JinjaValue } from "./jinja.ts";

/** How large a template value is when written out: shared parts count each time they occur, because printing repeats them. */
interface Size {
  readonly length: number;
  readonly depth: number;
}

const SCALAR: Size = { length: 4, depth: 0 };

/**
 * Measures values of one rendering. Lists and mappings never change after they are made, so each is measured once; that keeps a list of
 * lists of lists, doubled thirty times, as cheap as it looks. Throws `LIMIT_EXCEEDED` for what is too large or too deep to be printed.
 */
export function templateSizes(): (value: JinjaValue) => Size {
  const known = new WeakMap<JinjaValue, Size>();

  function measure(value: JinjaValue, level: number): Size {
    const inner = value.value;
    if (typeof inner === "string") return bounded(inner.length + 2, 0);
    const isList = Array.isArray(inner);
    if (!isList && !(inner instanceof Map)) return SCALAR;
    const before = known.get(value);
    if (before) return before;
    const changes = value.type === "NamespaceValue";
    if (changes && level > 0)
      throw new WorkflowError("TEMPLATE_INVALID", "A namespace cannot be kept inside another value. Keep it in a variable.");
    if (level > MAX_VALUE_DEPTH) throw tooLarge(`is nested more than ${MAX_VALUE_DEPTH} levels deep`);
    let length = 2;
    let depth = 0;
    const add = (part: JinjaValue, key: number): void => {
      const size = measure(part, level + 1);
      length += key + size.length;
      depth = Math.max(depth, size.depth);
      bounded(length, depth);
    };
    if (isList) for (const part of inner as readonly JinjaValue[]) add(part, 2);
    else for (const [name, part] of inner as ReadonlyMap<string, JinjaValue>) add(part, name.length + 6);
    const size = bounded(length, depth + 1);
    if (!changes) known.set(value, size);
    return size;
  }

  return (value) => measure(value, 0);
}

function bounded(length: number, depth: number): Size {
  if (length > MAX_VALUE_LENGTH) throw tooLarge(`has more than ${MAX_VALUE_LENGTH} characters when written out`);
  if (depth > MAX_VALUE_DEPTH) throw tooLarge(`is nested more than ${MAX_VALUE_DEPTH} levels deep`);
  return { length, depth };
}

function tooLarge(how: string): WorkflowError {
  return new WorkflowError("LIMIT_EXCEEDED", `A value in the template ${how}. Make the template or its variables smaller.`);
}

/**
 * The values of a template without bytes, in whose place stands nothing: the bytes of a file are not readable in a text, and number by
 * number they would exceed any limit of what may be printed. A file keeps its name, type and size. What holds no bytes is given back as it
 * is.
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
