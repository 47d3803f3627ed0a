import { type ErrorCode, WorkflowError } from "../model/errors.ts";
import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { FORBIDDEN_KEYS, isPlain, type Value } from "../model/value.ts";
import { type Names, normalizeReference } from "../expression/normalize-reference.ts";
import { isFormCondition, parseTemplate } from "../expression/parse-template.ts";
import { mapTemplate, templateReferences } from "../expression/references.ts";
import { renderTemplate, valueTooLong } from "../expression/render.ts";
import { SKIPPED, type Scope, resolveReference } from "../expression/scope.ts";
import type { Reference, Template } from "../expression/syntax.ts";
import type { TextPart } from "../ports/block.ts";

/** A value of a definition with its templates parsed once. What holds no reference is kept as it is. */
export type CompiledValue =
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "template"; readonly template: Template }
  | { readonly kind: "list"; readonly items: readonly CompiledValue[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [key: string, value: CompiledValue])[] };

/**
 * Compiles a value for {@link resolveValue}; its references are canonical afterwards. Throws what {@link parseTemplate} and
 * {@link normalizeReference} throw, `KEY_FORBIDDEN`, and `LIMIT_EXCEEDED` for deep nesting.
 */
export function compileValue(value: Value, names: Names): CompiledValue {
  return compile(value, { names, path: "", depth: 0 });
}

/**
 * The value with its references replaced by what they lead to. Constant parts are not copied. Throws `LIMIT_EXCEEDED` before it makes
 * more than a value may hold, and what the look-up throws.
 */
export function resolveValue(compiled: CompiledValue, scope: Scope): Value {
  return resolve(compiled, scope, { left: MAX_VALUE_LENGTH });
}

/** A text cut at its references, which are resolved; what is no text has no parts. Throws what {@link resolveValue} throws. */
export function resolveParts(text: Value | undefined, names: Names, scope: Scope): readonly TextPart[] {
  if (typeof text !== "string") return [];
  if (!text.includes("${")) return [text];
  const { parts } = mapTemplate(parseTemplate(text), (reference) => normalizeReference(reference, names));
  return parts.map((part) => {
    if (typeof part === "string") return part;
    const value = resolveReference(part, scope);
    return { value: value === SKIPPED ? null : (value as Value) };
  });
}

/** Every reference of a value, nested ones too. */
export function valueReferences(compiled: CompiledValue): readonly Reference[] {
  switch (compiled.kind) {
    case "constant":
      return [];
    case "template":
      return templateReferences(compiled.template);
    case "list":
      return compiled.items.flatMap(valueReferences);
    case "object":
      return compiled.members.flatMap(([, member]) => valueReferences(member));
  }
}

function compile(
  value: Value,
  at: { readonly names: Names; readonly path: string; readonly depth: number; readonly key?: string },
): CompiledValue {
  if (typeof value === "string") {
    return isFormCondition(at.key, value) ? { kind: "constant", value } : compileText(value, at.names, at.path);
  }
  if (typeof value !== "object" || value === null) return { kind: "constant", value };
  if (at.depth === MAX_VALUE_DEPTH) {
    throw problem("LIMIT_EXCEEDED", at.path, `A value is nested deeper than ${MAX_VALUE_DEPTH} levels. Flatten it.`);
  }
  const depth = at.depth + 1;
  if (Array.isArray(value)) {
    const items = (value as readonly Value[]).map((item, i) => compile(item, { names: at.names, path: `${at.path}[${i}]`, depth }));
    return items.every(isConstant) && items.every((item, i) => item.value === value[i])
      ? { kind: "constant", value }
      : { kind: "list", items };
  }
  const record = value as { readonly [key: string]: Value };
  const members = Object.keys(record).map((key): [string, CompiledValue] => {
    const path = memberPath(at.path, key);
    if (FORBIDDEN_KEYS.has(key)) throw problem("KEY_FORBIDDEN", path, `"${key}" cannot be a key. Rename it.`);
    return [key, compile(record[key]!, { names: at.names, path, depth, key })];
  });
  const isSame = members.every(([key, member]) => isConstant(member) && member.value === record[key]);
  return isSame ? { kind: "constant", value } : { kind: "object", members };
}

function compileText(text: string, names: Names, path: string): CompiledValue {
  if (!text.includes("${")) return { kind: "constant", value: text };
  try {
    const template = mapTemplate(parseTemplate(text), (reference) => normalizeReference(reference, names));
    const [only, ...more] = template.parts;
    return typeof only === "string" && more.length === 0 ? { kind: "constant", value: only } : { kind: "template", template };
  } catch (thrown) {
    throw atPath(thrown, path);
  }
}

function isConstant(compiled: CompiledValue): compiled is CompiledValue & { readonly kind: "constant" } {
  return compiled.kind === "constant";
}

function resolve(compiled: CompiledValue, scope: Scope, budget: { left: number }): Value {
  switch (compiled.kind) {
    case "constant":
      return compiled.value;
    case "template": {
      const value = renderTemplate(compiled.template, scope);
      budget.left -= measure(value, budget.left);
      if (budget.left < 0) throw valueTooLong();
      return value;
    }
    case "list":
      return compiled.items.map((item) => resolve(item, scope, budget));
    case "object":
      return Object.fromEntries(compiled.members.map(([key, member]) => [key, resolve(member, scope, budget)]));
  }
}

/** Characters of a value, roughly, counted no further than past `limit`. Doubling a value in each of forty blocks must not get far. */
function measure(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length;
  let length = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && length <= limit) {
    const next = open.pop();
    length++;
    if (typeof next === "string") length += next.length;
    else if (Array.isArray(next)) {
      if (next.length > limit) return next.length;
      for (const item of next) open.push(item);
    } else if (isPlain(next)) {
      // Bytes and the like are passed on as they are; what they hold is counted where it is stored.
      for (const key of Object.keys(next)) {
        length += key.length;
        open.push(next[key]);
      }
    }
  }
  return length;
}

/** The path of a member: `a.b`, or `a["odd key"]`. */
export function memberPath(path: string, key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) return path === "" ? key : `${path}.${key}`;
  return `${path}[${JSON.stringify(key)}]`;
}

/** The error with the path of the text it is about; a path it already has goes on from there. */
export function atPath(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof WorkflowError)) return thrown;
  const inner = thrown.place.path ?? "";
  const whole = inner === "" || inner.startsWith("[") ? path + inner : `${path}.${inner}`;
  return new WorkflowError(thrown.code, thrown.message, {
    place: { ...thrown.place, path: path === "" ? inner : whole },
    details: thrown.details,
    cause: thrown.cause,
  });
}

function problem(code: ErrorCode, path: string, message: string): WorkflowError {
  return new WorkflowError(code, message, { place: { path } });
}
