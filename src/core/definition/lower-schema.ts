import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import { isTextFormat } from "../model/json-format.ts";
import { checkJsonSchema } from "../model/json-schema.ts";
import { MAX_WORKFLOW_DEPTH } from "../model/limits.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { isRecord } from "../model/value.ts";
import type { BlockSchema } from "../ports/block.ts";
import { describeStandard } from "../ports/standard-schema.ts";

type Node = { readonly [keyword: string]: unknown };

/** Keywords that say nothing about values. */
const REMARKS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$defs",
  "definitions",
  "$comment",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);
/** Keywords of a question for a file; the content of the file needs no description. */
const FILE_KEYWORDS: ReadonlySet<string> = new Set(["type", "format", "title", "description", "contentMediaType", "maxLength"]);

/**
 * The JSON Schema of the values that a schema takes. That of a library is asked of it, and written in the keywords that are checked here. Throws
 * `SCHEMA_INVALID` for one that cannot be written so; `what` names it.
 */
export function lowerSchema(schema: BlockSchema | JsonSchema, what: string): JsonSchema {
  const json = "~standard" in schema ? lower(describeStandard(schema, what), []) : "jsonSchema" in schema ? schema.jsonSchema : schema;
  const problems = checkJsonSchema(json);
  if (problems.length === 0) return json as JsonSchema;
  throw new WorkflowError("SCHEMA_INVALID", `${what} has a schema that cannot be used: ${problems.join(" ")}`);
}

/** What can be told of the values that a schema takes; nothing where its library does not tell. It may hold keywords that are not checked here. */
export function describeSchema(schema: BlockSchema): JsonSchema | undefined {
  if ("jsonSchema" in schema) return schema.jsonSchema;
  try {
    return lower(describeStandard(schema, "It"), []) as JsonSchema;
  } catch (thrown) {
    if (isWorkflowError(thrown)) return undefined;
    throw thrown;
  }
}

/** A schema without what is only another way of writing. What cannot be written otherwise stays, and is refused by its keyword. */
function lower(given: unknown, above: readonly Node[]): unknown {
  if (given === true) return {};
  if (!isRecord(given) || above.length > MAX_WORKFLOW_DEPTH) return given;
  const path = [...above, given];
  const target = typeof given["$ref"] === "string" ? find(path[0]!, given["$ref"]) : undefined;
  // One that leads back to itself has no end, and stays as it is.
  if (target && !path.includes(target)) return { ...(lower(target, path) as object), ...lowerMembers(without(given, "$ref"), path) };
  const union = given["anyOf"] ?? given["oneOf"];
  const joined = Array.isArray(union) ? join(union.map((part) => lower(part, path))) : undefined;
  if (joined) return { ...joined, ...lowerMembers(without(given, "anyOf", "oneOf"), path) };
  return lowerMembers(given, path);
}

function lowerMembers(schema: Node, path: readonly Node[]): Node {
  const isFile = schema["format"] === "file";
  const members = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (REMARKS.has(keyword) || (isFile && !FILE_KEYWORDS.has(keyword))) return [];
    switch (keyword) {
      case "properties":
        return [[keyword, isRecord(value) ? mapMembers(value, (part) => lower(part, path)) : value]];
      case "items":
        return [[keyword, lower(value, path)]];
      case "additionalProperties":
        return [[keyword, typeof value === "boolean" ? value : lower(value, path)]];
      case "propertyNames":
        return isRecord(value) && Object.keys(value).join() === "type" ? [] : [[keyword, value]];
      case "pattern":
        // The format says the same, in words that people understand.
        return isTextFormat(schema["format"]) ? [] : [[keyword, value]];
      case "minimum":
      case "maximum":
        return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? [] : [[keyword, value]];
      default:
        return [[keyword, value]];
    }
  });
  return Object.fromEntries(members);
}

/** One schema for several of which a value must fit one, where the keywords that are checked can say that. */
function join(parts: readonly unknown[]): Node | undefined {
  if (!parts.every(isRecord)) return undefined;
  const rest = parts.filter(({ type }) => type !== "null");
  const takesNull = rest.length < parts.length;
  const [only] = rest;
  if (rest.length === 1 && only) return takesNull ? orNull(only) : only;
  const choices = rest.map(choicesOf);
  if (choices.every((some) => some !== undefined)) return withChoices([...choices.flat(), ...(takesNull ? [{ const: null }] : [])]);
  const isPlain = rest.every((part) => Object.keys(part).join() === "type");
  return isPlain ? { type: [...new Set([...rest.flatMap(({ type }) => type), ...(takesNull ? ["null"] : [])])] } : undefined;
}

function orNull(schema: Node): Node | undefined {
  const { type } = schema;
  const some = choicesOf(without(schema, "title", "description"));
  if (some) return { ...without(schema, "type", "const", "enum", "oneOf"), ...withChoices([...some, { const: null }]) };
  return type === undefined ? undefined : { ...schema, type: [...new Set([type, "null"].flat())] };
}

/** What a schema of single values takes. One with a value of its own tells by its title what people read in its place. */
function choicesOf({ const: value, enum: choices, oneOf, title, description }: Node): readonly Node[] | undefined {
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

/** What a reference inside a document points to. */
function find(root: Node, reference: string): Node | undefined {
  let found: unknown = root;
  for (const key of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return reference.startsWith("#") && isRecord(found) ? found : undefined;
}

function without(schema: Node, ...keywords: readonly string[]): Node {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

function mapMembers(members: Node, to: (member: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, to(member)]));
}
