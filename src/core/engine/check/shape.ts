import { MAX_VALUE_DEPTH } from "../../model/limits.ts";
import { listNames, nearestName } from "../../model/nearest.ts";
import type { JsonSchema, JsonType } from "../../model/run.ts";
import { FORBIDDEN_KEYS, isRecord } from "../../model/value.ts";
import { memberPath } from "../compile-value.ts";
import { showValue, withArticle } from "../value-type.ts";
import type { ProblemList } from "./problem-list.ts";

/**
 * Compares a definition with a schema: the types, keys and choices of its sections. Reports `SCHEMA_INVALID`, `KEY_UNKNOWN` with the
 * nearest key, and `KEY_FORBIDDEN`.
 */
export function checkShape(schema: JsonSchema, value: unknown, options: { readonly path: string; readonly problems: ProblemList }): void {
  check(schema, value, { ...options, depth: 0 });
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly problems: ProblemList;
}

function check(schema: JsonSchema, value: unknown, at: Place): void {
  const { path, problems } = at;
  if (problems.isFull) return;
  if (at.depth > MAX_VALUE_DEPTH)
    return problems.error("LIMIT_EXCEEDED", path, `${name(path)} is nested deeper than ${MAX_VALUE_DEPTH} levels. Flatten it.`);
  if (schema.type !== undefined && !fits(schema.type, value)) {
    const types = [schema.type].flat();
    const hint = types[0] === "string" && (typeof value === "number" || typeof value === "boolean") ? " Put it in quotation marks." : "";
    const wanted = types.map(withArticle).join(" or ");
    return problems.error("SCHEMA_INVALID", path, `${name(path)} must be ${wanted}, not ${showValue(value)}.${hint}`);
  }
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) {
    return reportChoice(schema.enum as readonly string[], value, at);
  }
  if (typeof value === "number" && schema.minimum !== undefined && (value < schema.minimum || value > (schema.maximum ?? value))) {
    return problems.error("SCHEMA_INVALID", path, `${name(path)} must lie between ${schema.minimum} and ${schema.maximum}, not ${value}.`);
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) problems.error("SCHEMA_INVALID", path, `${name(path)} must not be empty.`);
    if (schema.items !== undefined)
      value.forEach((item, i) => check(schema.items!, item, { ...at, path: `${path}[${i}]`, depth: at.depth + 1 }));
  } else if (isRecord(value)) {
    checkMembers(schema, value, at);
  }
}

function checkMembers(schema: JsonSchema, value: { readonly [key: string]: unknown }, at: Place): void {
  const known = membersOf(schema);
  for (const key of Object.keys(value)) {
    if (at.problems.isFull) return;
    const path = memberPath(at.path, key);
    const member = known.get(key) ?? schema.additionalProperties;
    if (FORBIDDEN_KEYS.has(key)) at.problems.error("KEY_FORBIDDEN", path, `"${key}" cannot be a key. Rename it.`);
    else if (member === false) reportKey(key, [...known.keys()], { ...at, path });
    else if (typeof member === "object" && value[key] !== undefined) check(member, value[key], { ...at, path, depth: at.depth + 1 });
  }
  for (const key of schema.required ?? []) {
    if (value[key] !== undefined) continue;
    at.problems.error("SCHEMA_INVALID", memberPath(at.path, key), `${name(at.path)} needs "${key}". Add it.`);
  }
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

function reportKey(key: string, known: readonly string[], at: Place): void {
  const suggestion = nearestName(key, known);
  at.problems.error(
    "KEY_UNKNOWN",
    at.path,
    `"${key.slice(0, 100)}" is no key here.${suggestion === undefined ? ` Known: ${listNames(known)}.` : ` Did you mean "${suggestion}"?`}`,
    suggestion === undefined ? {} : { suggestion },
  );
}

function reportChoice(choices: readonly string[], value: unknown, at: Place): void {
  const suggestion = nearestName(String(value), choices);
  at.problems.error(
    "SCHEMA_INVALID",
    at.path,
    `${name(at.path)} must be one of ${choices.map((choice) => `"${choice}"`).join(", ")}, not ${showValue(value)}.`,
    suggestion === undefined ? {} : { suggestion },
  );
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

function name(path: string): string {
  return path === "" ? "The workflow" : path;
}
