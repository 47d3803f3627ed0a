import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import { isTextFormat } from "../model/json-format.ts";
import { checkJsonSchema, schemaNeeds } from "../model/check-json-schema.ts";
import { partsIn } from "../model/json-schema.ts";
import { MAX_SCHEMA_PARTS, MAX_WORKFLOW_DEPTH } from "../model/limits.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { isRecord } from "../model/value.ts";
import type { BlockSchema } from "./block.ts";
import { describeStandard } from "./standard-schema.ts";

type Node = { readonly [keyword: string]: unknown };

/** Keywords that say nothing about values. */
const REMARKS: ReadonlySet<string> = new Set([
  "$schema",
  "$anchor",
  "$defs",
  "definitions",
  "$comment",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentSchema",
]);
/** Keywords that describe what is in an object: of a file that is known. */
const MEMBERS: ReadonlySet<string> = new Set(["properties", "required", "additionalProperties"]);
/** Keywords that mean the same wherever they stand, so that a schema may be joined with them. */
const TEXTS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "showIf",
  "messages",
  "autocomplete",
  "unit",
  "capture",
  "layout",
]);

/**
 * The JSON Schema of the values that a schema takes. That of a library is asked of it, and written in the keywords that are checked here, as is what other tools write: references,
 * remarks, lists of `items`, `dependencies`. Throws `SCHEMA_INVALID` for one that cannot be written so; `what` names it.
 */
export function lowerSchema(schema: BlockSchema | JsonSchema, what: string): JsonSchema {
  const isOfLibrary = typeof schema === "object" && "~standard" in schema;
  const json = isOfLibrary
    ? describeStandard(schema, what)
    : typeof schema === "object" && "jsonSchema" in schema
      ? schema.jsonSchema
      : schema;
  const lowered = isOfLibrary || !isPlain(json as JsonSchema) ? lowerJson(json as Node, isOfLibrary) : json;
  const problems = checkJsonSchema(lowered);
  if (problems.length === 0) return lowered as JsonSchema;
  throw new WorkflowError("SCHEMA_INVALID", `${what} has a schema that cannot be used: ${problems.join(" ")}`);
}

/** What can be told of the values that a schema takes; nothing where its library does not tell. It may hold keywords that are not checked here. */
export function describeSchema(schema: BlockSchema): JsonSchema | undefined {
  if ("jsonSchema" in schema) return schema.jsonSchema;
  try {
    return lowerJson(describeStandard(schema, "It"), true) as JsonSchema;
  } catch (thrown) {
    if (isWorkflowError(thrown)) return undefined;
    throw thrown;
  }
}

/** A schema that needs no other words. */
function isPlain(schema: JsonSchema): boolean {
  return checkJsonSchema(schema).length === 0 && !schemaNeeds(schema).isRare;
}

interface Lowering {
  readonly root: Node;
  /** Those of a library say some things twice. */
  readonly isOfLibrary: boolean;
  /** Before 2019 what stands beside a reference counts for nothing. */
  readonly isOld: boolean;
  /** What leads back to itself, by the name under which it is kept. */
  readonly kept: Map<Node, string>;
  left: number;
}

const KNOWN_DIALECT = /^https?:\/\/json-schema\.org\//;

function lowerJson(root: Node, isOfLibrary: boolean): unknown {
  const dialect = isRecord(root) ? root["$schema"] : undefined;
  if (typeof dialect === "string" && !KNOWN_DIALECT.test(dialect)) {
    throw new WorkflowError(
      "SCHEMA_INVALID",
      `The schema is written in ${JSON.stringify(dialect.slice(0, 100))}, which is not known here. Write it in JSON Schema 2020-12.`,
    );
  }
  const isOld = /draft-0[3-7]/.test(String(isRecord(root) ? root["$schema"] : ""));
  const { $id: _id, ...given } = isRecord(root) ? root : { root };
  const at: Lowering = { root, isOfLibrary, isOld, kept: new Map([[root, "#"]]), left: MAX_SCHEMA_PARTS };
  if (!isRecord(root)) return lower(root, at, []);
  const lowered = lower(given, at, [root]) as Node;
  // What is kept may lead to more.
  const defs = new Map<string, unknown>();
  for (const [target, name] of at.kept) if (target !== root) defs.set(name, lower(target, at, [root, target]));
  return defs.size === 0 ? lowered : { ...lowered, $defs: Object.fromEntries(defs) };
}

/** A schema without what is only another way of writing. What cannot be written otherwise stays, and is refused by its keyword. */
function lower(given: unknown, at: Lowering, above: readonly Node[]): unknown {
  if (given === true) return {};
  if (given === false) return { not: {} };
  if (!isRecord(given) || above.length > MAX_WORKFLOW_DEPTH) return given;
  if (--at.left < 0) {
    throw new WorkflowError(
      "SCHEMA_INVALID",
      `A schema comes to more than ${MAX_SCHEMA_PARTS} parts with its references followed. Make it smaller.`,
    );
  }
  const path = [...above, given];
  const reference = given["$ref"];
  const target = typeof reference === "string" ? find(at.root, reference) : undefined;
  if (typeof reference === "string" && target === undefined) {
    const message = `The schema refers to ${JSON.stringify(reference.slice(0, 100))}, which does not stand in it. Put what it leads to under $defs, and write "#/$defs/name".`;
    throw new WorkflowError("SCHEMA_INVALID", message);
  }
  if (target !== undefined) return lowerReference(target, at.isOld ? {} : without(given, "$ref"), at, path);
  const union = given["anyOf"] ?? given["oneOf"];
  const joined = Array.isArray(union)
    ? join(
        union.map((part) => lower(part, at, path)),
        given["anyOf"] === undefined,
      )
    : undefined;
  const rest = without(given, "anyOf", "oneOf");
  const isBoth = given["anyOf"] !== undefined && given["oneOf"] !== undefined;
  if (
    joined &&
    !isBoth &&
    Object.keys(joined).every((keyword) => !(keyword in rest) || TEXTS.has(keyword) || (keyword === "type" && at.isOfLibrary))
  ) {
    return { ...joined, ...lowerMembers(rest, at, path) };
  }
  return lowerMembers(given, at, path);
}

/** What a reference leads to, in its place; one that leads back to itself has no end, and is kept under a name. */
function lowerReference(target: unknown, beside: Node, at: Lowering, path: readonly Node[]): unknown {
  const more = lowerMembers(beside, at, path);
  let part: unknown;
  if (isRecord(target) && (at.kept.has(target) || path.includes(target))) {
    const name = at.kept.get(target) ?? `part-${at.kept.size}`;
    at.kept.set(target, name);
    part = { $ref: name === "#" ? name : `#/$defs/${name}` };
  } else part = lower(target, at, path);
  if (Object.keys(more).length === 0) return part;
  if (Object.keys(more).every((keyword) => TEXTS.has(keyword))) return { ...(part as Node), ...more };
  return { ...more, allOf: [part, ...((more["allOf"] as readonly unknown[] | undefined) ?? [])] };
}

function lowerMembers(schema: Node, at: Lowering, path: readonly Node[]): Node {
  const isFile = schema["format"] === "file";
  const members = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (REMARKS.has(keyword) || keyword.startsWith("x-") || (isFile && MEMBERS.has(keyword))) return [];
    if (at.isOfLibrary && isSaidTwice(keyword, value, schema)) return [];
    switch (keyword) {
      case "items":
        if (!Array.isArray(value)) break;
        return [
          ["prefixItems", value.map((part) => lower(part, at, path))],
          ...(schema["additionalItems"] === undefined ? [] : [["items", lower(schema["additionalItems"], at, path)] as [string, unknown]]),
        ];
      case "additionalItems":
        return [];
      case "additionalProperties":
        return [[keyword, typeof value === "boolean" ? value : lower(value, at, path)]];
      case "dependencies":
        return isRecord(value) ? splitDependencies(value, at, path) : [[keyword, value]];
    }
    const parts = partsIn(keyword, value);
    if (parts.length === 0)
      return typeof value === "boolean" && HOLDS_ONE.has(keyword) ? [[keyword, lower(value, at, path)]] : [[keyword, value]];
    const lowered = parts.map(([part, keys]) => [keys.at(-1), lower(part, at, path)] as const);
    if (Array.isArray(value)) return [[keyword, lowered.map(([, part]) => part)]];
    return [[keyword, parts[0]![1].length === 1 ? lowered[0]![1] : Object.fromEntries(lowered)]];
  });
  return Object.fromEntries(
    members.filter(([keyword, value]) => !(Array.isArray(value) && value.length === 0 && keyword === "prefixItems")),
  );
}

/** Keywords of one schema, which may be written as `true` and `false`. */
const HOLDS_ONE: ReadonlySet<string> = new Set(["items", "not", "if", "then", "else", "contains", "propertyNames"]);

function isSaidTwice(keyword: string, value: unknown, schema: Node): boolean {
  if (keyword === "propertyNames") return isRecord(value) && Object.keys(value).join() === "type";
  // The format says the same, in words that people understand.
  if (keyword === "pattern") return isTextFormat(schema["format"]);
  return (keyword === "minimum" || keyword === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

function splitDependencies(value: Node, at: Lowering, path: readonly Node[]): [string, unknown][] {
  const [names, schemas] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const [name, needed] of Object.entries(value)) {
    if (Array.isArray(needed)) names.set(name, needed);
    else schemas.set(name, lower(needed, at, path));
  }
  return [
    ...(names.size > 0 ? [["dependentRequired", Object.fromEntries(names)] as [string, unknown]] : []),
    ...(schemas.size > 0 ? [["dependentSchemas", Object.fromEntries(schemas)] as [string, unknown]] : []),
  ];
}

/** One schema for several of which a value must fit one, where plain keywords can say that. */
function join(parts: readonly unknown[], isExclusive: boolean): Node | undefined {
  if (parts.length === 0 || !parts.every(isRecord)) return undefined;
  const rest = parts.filter((part) => !(part["type"] === "null" && Object.keys(part).length === 1));
  const nulls = parts.length - rest.length;
  if (isExclusive && (nulls > 1 || overlap(rest, nulls > 0))) return undefined;
  const [only] = rest;
  if (rest.length === 1 && only) return nulls > 0 ? orNull(only) : only;
  const choices = rest.map(choicesOf);
  if (choices.every((some) => some !== undefined)) return withChoices([...choices.flat(), ...(nulls > 0 ? [{ const: null }] : [])]);
  const isPlainType = rest.every((part) => Object.keys(part).join() === "type");
  return isPlainType ? { type: [...new Set([...rest.flatMap(({ type }) => type), ...(nulls > 0 ? ["null"] : [])])] } : undefined;
}

/** Whether a value may fit two of several types, or two of several choices. */
function overlap(parts: readonly Node[], isNull: boolean): boolean {
  const types = parts.flatMap(({ type }) => type);
  if (parts.every((part) => Object.keys(part).join() === "type")) {
    return (
      new Set(types).size < types.length || (types.includes("integer") && types.includes("number")) || (isNull && types.includes("null"))
    );
  }
  const values = parts.flatMap((part) => (choicesOf(part) ?? []).map((choice) => JSON.stringify(choice["const"])));
  return (
    new Set(values).size < values.length ||
    (isNull && (values.includes("null") || types.includes("null") || types.includes(undefined)) && values.length === 0)
  );
}

function orNull(schema: Node): Node | undefined {
  const { type } = schema;
  const some = choicesOf(without(schema, "title", "description"));
  if (some) return { ...without(schema, "type", "const", "enum", "oneOf"), ...withChoices([...some, { const: null }]) };
  const isWhole = Object.keys(schema).every((keyword) => !ANY_TYPE.has(keyword));
  return type === undefined || !isWhole ? undefined : { ...schema, type: [...new Set([type, "null"].flat())] };
}

/** Keywords that say something of values of every type, `null` too. */
const ANY_TYPE: ReadonlySet<string> = new Set(["$ref", "allOf", "anyOf", "oneOf", "not", "if"]);

/** What a schema of single values takes. One with a value of its own tells by its title what people read in its place. */
function choicesOf({ const: value, enum: choices, oneOf, title, description, ...rest }: Node): readonly Node[] | undefined {
  if (Object.keys(rest).some((keyword) => keyword !== "type" && !TEXTS.has(keyword))) return undefined;
  if (value !== undefined) return [{ const: value, ...(title ? { title } : {}), ...(description ? { description } : {}) }];
  if (Array.isArray(oneOf)) return oneOf.every((part) => isRecord(part) && part["const"] !== undefined) ? (oneOf as Node[]) : undefined;
  return Array.isArray(choices) ? choices.map((choice: unknown) => ({ const: choice })) : undefined;
}

/** Choices by the plainest keyword that can tell them. A value that comes twice keeps its first name. */
function withChoices(choices: readonly Node[]): Node {
  const values = choices.map((choice) => choice["const"]);
  if (choices.every((choice) => Object.keys(choice).length === 1)) return { enum: values };
  const texts = values.map((value) => JSON.stringify(value));
  return { oneOf: choices.filter((_, i) => texts.indexOf(texts[i]!) === i) };
}

/** What a reference inside a document points to: a JSON Pointer, or the name of an anchor. */
function find(root: Node, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let name: string;
  try {
    name = decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
  if (name === "") return root;
  if (!name.startsWith("/")) return findAnchor(root, name, 0);
  let found: unknown = root;
  for (const key of name.slice(1).split("/").map(unescapeKey)) {
    found = typeof found === "object" && found !== null && Object.hasOwn(found, key) ? (found as Node)[key] : undefined;
  }
  return isRecord(found) || typeof found === "boolean" ? found : undefined;
}

function unescapeKey(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

function findAnchor(schema: unknown, name: string, depth: number): Node | undefined {
  if (!isRecord(schema) || depth > MAX_WORKFLOW_DEPTH) return undefined;
  if (schema["$anchor"] === name || schema["$id"] === `#${name}`) return schema;
  const parts = [...Object.entries(schema), ["$defs", schema["definitions"]] as const].flatMap(([keyword, value]) =>
    partsIn(keyword, value),
  );
  for (const [part] of parts) {
    const found = findAnchor(part, name, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function without(schema: Node, ...keywords: readonly string[]): Node {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
