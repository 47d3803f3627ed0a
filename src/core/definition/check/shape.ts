import { MAX_VALUE_DEPTH } from "../../model/limits.ts";
import { listNames, nearestName } from "../../model/suggestions.ts";
import type { JsonSchema, JsonType } from "../../model/json-schema.ts";
import { FORBIDDEN_KEYS, isRecord } from "../../model/value.ts";
import { memberPath } from "../compile-value.ts";
import { showValue, withArticle } from "../../model/value-type.ts";
import type { ProblemList } from "./problem-list.ts";

/** A definition whose shape has been looked at. */
interface Shaped {
  /**
   * The definition itself where its shape is right. Else a copy of the right shape, so that the rest can be checked too: what is wrong is
   * left out or replaced, and a misspelt key has the name that was likely meant.
   */
  readonly value: unknown;
  /** Where a path of the copy stands in the definition; nothing where something has been reported about that place already. */
  place(path: string): string | undefined;
}

/**
 * Compares a definition with a schema: the types, keys and choices of its sections. Reports `SCHEMA_INVALID`, `KEY_UNKNOWN` with the
 * nearest key, `KEY_FORBIDDEN`, and `LIMIT_EXCEEDED` for a count or a nesting over its limit.
 */
export function checkShape(schema: JsonSchema, value: unknown, problems: ProblemList): Shaped {
  const reported = new Set<string>();
  const renamed: (readonly [path: string, written: string])[] = [];
  const found = check(schema, value, { path: "", written: "", depth: 0, problems, reported, renamed });
  return {
    value: found === undefined ? substitute(schema) : found,
    place(path) {
      const [from, to] = renamed.findLast(([renamedPath]) => isWithin(path, renamedPath)) ?? ["", ""];
      const written = to + path.slice(from.length);
      return reported.size > 0 && isReported(written, reported) ? undefined : written;
    },
  };
}

interface Place {
  /** The path in what is made of the definition. */
  readonly path: string;
  /** The path in the definition, the same but for misspelt keys. */
  readonly written: string;
  /** The id of the block that the place is in. */
  readonly block?: unknown;
  readonly depth: number;
  readonly problems: ProblemList;
  /** Places about which something has been said. */
  readonly reported: Set<string>;
  readonly renamed: (readonly [path: string, written: string])[];
}

/** Gives the value, or one of the right shape in its stead; nothing where there is no such value. */
function check(schema: JsonSchema, value: unknown, at: Place): unknown {
  if (at.problems.isFull) return value;
  if (at.depth > MAX_VALUE_DEPTH) return report(at, `is nested deeper than ${MAX_VALUE_DEPTH} levels. Flatten it.`, "LIMIT_EXCEEDED");
  if (schema.type !== undefined && !fits(schema.type, value)) return checkOtherType(schema, [schema.type].flat(), value, at);
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) return checkChoice(schema.enum as readonly string[], value, at);
  if (typeof value === "number") return checkRange(schema, value, at);
  if (Array.isArray(value)) return checkItems(schema, value, at);
  return isRecord(value) ? checkMembers(schema, value, at) : value;
}

function checkOtherType(schema: JsonSchema, types: readonly JsonType[], value: unknown, at: Place): unknown {
  const isScalar = typeof value === "number" || typeof value === "boolean";
  // As a text it would be no choice either.
  const isText = types[0] === "string" && schema.enum === undefined && isScalar;
  const hint = isText ? " Put it in quotation marks." : "";
  report(at, `must be ${types.map(withArticle).join(" or ")}, not ${showValue(value)}.${hint}`);
  if (isText) return String(value);
  // A list of one is often written without its brackets.
  return types[0] === "array" && typeof value === "string" ? check(schema, [value], at) : undefined;
}

function checkChoice(choices: readonly string[], value: unknown, at: Place): unknown {
  const suggestion = nearestName(String(value), choices);
  const listed = choices.map((choice) => `"${choice}"`).join(", ");
  report(at, `must be one of ${listed}, not ${showValue(value)}.`, "SCHEMA_INVALID", suggestion === undefined ? {} : { suggestion });
  return suggestion;
}

function checkRange(schema: JsonSchema, value: number, at: Place): unknown {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value >= minimum && value <= maximum) return value;
  if (value > maximum && schema.type === "integer")
    return report(at, `must not be more than ${maximum}, and is ${value}.`, "LIMIT_EXCEEDED");
  const range = maximum === Infinity ? `must not be less than ${minimum}` : `must lie between ${minimum} and ${maximum}`;
  return report(at, `${range}, and is ${value}.`);
}

function checkItems(schema: JsonSchema, value: readonly unknown[], at: Place): unknown {
  if (value.length < (schema.minItems ?? 0)) return report(at, "must not be empty.");
  const { items, maxItems = Infinity } = schema;
  if (value.length > maxItems) {
    return report(at, `must not have more than ${maxItems} entries, and has ${value.length}.`, "LIMIT_EXCEEDED");
  }
  if (items === undefined) return value;
  let changed: unknown[] | undefined;
  for (const [i, item] of value.entries()) {
    const place = { ...at, path: `${at.path}[${i}]`, written: `${at.written}[${i}]`, depth: at.depth + 1 };
    const found = check(items, item, place);
    if (found !== item) (changed ??= [...value])[i] = found === undefined ? substitute(items) : found;
  }
  return changed ?? value;
}

function checkMembers(schema: JsonSchema, value: { readonly [key: string]: unknown }, outer: Place): unknown {
  const known = membersOf(schema);
  // Only blocks have an id.
  const at = known.has("id") ? { ...outer, block: value["id"] } : outer;
  let changed: Map<string, unknown> | undefined;
  const change = (): Map<string, unknown> => (changed ??= new Map(Object.entries(value)));
  for (const key of Object.keys(value)) {
    if (at.problems.isFull) return value;
    const written = memberPath(at.written, key);
    const member = known.get(key) ?? schema.additionalProperties;
    if (FORBIDDEN_KEYS.has(key)) {
      at.reported.add(written);
      at.problems.error("KEY_FORBIDDEN", written, `"${key}" cannot be a key. Rename it.`, { isKey: true });
      change().delete(key);
    } else if (member === false) {
      change().delete(key);
      checkMisspelt(key, value, { known, change, at: { ...at, written } });
    } else if (typeof member === "object" && value[key] !== undefined) {
      const found = check(member, value[key], { ...at, path: memberPath(at.path, key), written, depth: at.depth + 1 });
      if (found === undefined) change().delete(key);
      else if (found !== value[key]) change().set(key, found);
    }
  }
  for (const key of schema.required ?? []) {
    if (changed === undefined ? value[key] !== undefined : changed.get(key) !== undefined) continue;
    const member = known.get(key)!;
    const written = memberPath(at.written, key);
    const isMisspelt = at.renamed.some(([path]) => path === memberPath(at.path, key));
    if (!isMisspelt && !at.reported.has(written)) {
      at.reported.add(written);
      at.problems.error("SCHEMA_INVALID", written, `${name(at)} needs "${key}". Add it.`);
    }
    // Do not report problems that depend on a choice that was not made.
    if (member.enum !== undefined) at.reported.add(at.written);
    change().set(key, substitute(member));
  }
  return changed === undefined ? value : Object.fromEntries(changed);
}

/** Reports an unknown key, and goes on with its value under the name that was likely meant, unless that is there too. */
function checkMisspelt(
  key: string,
  value: { readonly [key: string]: unknown },
  {
    known,
    change,
    at,
  }: { readonly known: ReadonlyMap<string, JsonSchema>; readonly change: () => Map<string, unknown>; readonly at: Place },
): void {
  const suggestion = nearestName(key, known.keys());
  const advice = suggestion === undefined ? ` Known: ${listNames(known.keys())}.` : ` Did you mean "${suggestion}"?`;
  const more = { isKey: true, ...(suggestion === undefined ? {} : { suggestion }) };
  at.problems.error("KEY_UNKNOWN", at.written, `"${key.slice(0, 100)}" is no key here.${advice}`, more);
  if (suggestion === undefined || Object.hasOwn(value, suggestion) || change().has(suggestion)) return;
  const path = memberPath(at.path, suggestion);
  at.renamed.push([path, at.written]);
  const found = check(known.get(suggestion)!, value[key], { ...at, path, depth: at.depth + 1 });
  if (found !== undefined) change().set(suggestion, found);
}

/** Reports what is wrong with the value at a place: a sentence without its subject. */
function report(at: Place, message: string, code: "SCHEMA_INVALID" | "LIMIT_EXCEEDED" = "SCHEMA_INVALID", more = {}): undefined {
  at.reported.add(at.written);
  at.problems.error(code, at.written, `${name(at)} ${message}`, more);
}

/** Whether something was said about a place or about what holds it. */
function isReported(path: string, reported: ReadonlySet<string>): boolean {
  if (reported.has("") || reported.has(path)) return true;
  for (let at = path.length - 1; at > 0; at--) {
    if ((path[at] === "." || path[at] === "[") && reported.has(path.slice(0, at))) return true;
  }
  return false;
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && (path.length === outer.length || path[outer.length] === "." || path[outer.length] === "[");
}

const members = new WeakMap<JsonSchema, ReadonlyMap<string, JsonSchema>>();

/** The properties of a schema, made into a map once: a definition has thousands of blocks and one schema for them. */
function membersOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  let known = members.get(schema);
  if (known === undefined) {
    known = new Map(Object.entries(schema.properties ?? {}));
    members.set(schema, known);
  }
  return known;
}

function fits(type: JsonType | readonly JsonType[], value: unknown): boolean {
  return typeof type === "string" ? isOfType(value, type) : type.some((one) => isOfType(value, one));
}

function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

function name({ written, block }: Place): string {
  if (written === "") return "The workflow";
  return typeof block === "string" ? `${written} (block ${showValue(block)})` : written;
}

/** A value of the shape a schema asks for, to stand where there is none, so that what is around it can be checked. */
function substitute(schema: JsonSchema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case "string":
      return "";
    case "array":
      return [];
    case "object":
      return Object.fromEntries((schema.required ?? []).map((key) => [key, substitute(schema.properties?.[key] ?? {})]));
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    default:
      return null;
  }
}
