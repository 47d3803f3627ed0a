import { errorData, WorkflowError } from "../model/errors.ts";
import { isRecord } from "../model/value.ts";

/** The part of the Standard Schema interface (version 1) that blocks use, so that zod, valibot, arktype and others all fit. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** What it looks like as JSON Schema (the Standard JSON Schema interface), where the library tells. */
    readonly jsonSchema?: StandardJsonSchema | undefined;
  };
}

/** How a schema tells its JSON Schema: the Standard JSON Schema interface. */
export interface StandardJsonSchema {
  /** The schema of the values it takes. */
  readonly input: (options: { readonly target: "draft-2020-12"; readonly libraryOptions?: { readonly [option: string]: unknown } }) => {
    readonly [keyword: string]: unknown;
  };
}

/** What a schema makes of a value: the value as it takes it, or what is wrong with it. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** What a schema finds wrong, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type Node = { readonly [keyword: string]: unknown };

/** Types of zod whose values JSON has none of, unless they are made of others. */
const BEYOND_JSON: ReadonlySet<unknown> = new Set(["bigint", "date", "map", "nan", "promise", "set", "symbol", "undefined", "void"]);
/** Marks a schema that takes no JSON value, with the type that it wants. */
const WANTS = "x-wavepoint-wants";

/**
 * The JSON Schema that a library tells of the values its schema takes. Throws `SCHEMA_INVALID` where it tells none, and where no JSON value fits;
 * `what` names the schema.
 */
export function describeStandard({ "~standard": standard }: StandardSchema, what: string): Node {
  const about = `The schema of ${standard.vendor} for ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  if (!standard.jsonSchema) {
    throw new WorkflowError(
      "SCHEMA_INVALID",
      `${about} does not tell what it looks like as JSON Schema (Standard JSON Schema). Use zod 4.2 or newer and not its mini form, or give a JSON Schema.`,
    );
  }
  let schema: Node;
  try {
    // What JSON Schema has no word for, the library checks itself.
    const libraryOptions = standard.vendor === "zod" ? { unrepresentable: "any", override: markBeyondJson } : undefined;
    schema = standard.jsonSchema.input({ target: "draft-2020-12", ...(libraryOptions ? { libraryOptions } : {}) });
  } catch (thrown) {
    throw new WorkflowError("SCHEMA_INVALID", `${about} cannot be written as JSON Schema: ${errorData(thrown, "SCHEMA_INVALID").message}`, {
      cause: thrown,
    });
  }
  const wanted = wantedBeyondJson(schema);
  if (wanted === undefined) return withoutMarks(schema) as Node;
  throw new WorkflowError(
    "SCHEMA_INVALID",
    `${about} wants a ${wanted}, which is no JSON value, so that no answer can fit it. Take what JSON has and convert it, for example z.coerce.date() or a z.codec.`,
  );
}

/** What zod calls for each part of a schema that it has written. */
function markBeyondJson({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: ZodSchema;
  readonly jsonSchema: { [keyword: string]: unknown };
}): void {
  const { type, coerce } = zodSchema.def;
  if (BEYOND_JSON.has(type) && !coerce) jsonSchema[WANTS] = type;
}

interface ZodSchema {
  readonly def: { readonly type: unknown; readonly coerce?: boolean };
}

/** What a schema wants that JSON cannot give it; nothing where a JSON value fits. */
function wantedBeyondJson(schema: unknown): string | undefined {
  if (!isRecord(schema)) return undefined;
  if (typeof schema[WANTS] === "string") return schema[WANTS];
  const { properties, required, anyOf, allOf } = schema;
  if (Array.isArray(anyOf) && anyOf.length > 0 && anyOf.every((part) => wantedBeyondJson(part) !== undefined))
    return wantedBeyondJson(anyOf[0]);
  const needed = [
    ...(Array.isArray(allOf) ? (allOf as readonly unknown[]) : []),
    ...(isRecord(properties) && Array.isArray(required) ? required.map((name) => properties[String(name)]) : []),
  ];
  return needed.map(wantedBeyondJson).find((wanted) => wanted !== undefined);
}

function withoutMarks(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutMarks);
  if (!isRecord(node)) return node;
  return Object.fromEntries(Object.entries(node).flatMap(([key, value]) => (key === WANTS ? [] : [[key, withoutMarks(value)]])));
}
