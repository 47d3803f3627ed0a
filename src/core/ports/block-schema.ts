import { checkJson, MAX_PROBLEMS } from "../model/check-json.ts";
import { isRecord } from "../model/value.ts";
import { pathOf, pointerOf, type ValuePlace, type ValueProblem } from "../model/value-problem.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import type { BlockSchema } from "./block.ts";
import type { StandardResult } from "./standard-schema.ts";

/** What a schema makes of a value: the value, with defaults and conversions applied, or what is wrong with it. */
export type Validation =
  { readonly value: unknown; readonly issues?: never } | { readonly issues: readonly ValueProblem[]; readonly value?: never };

/** A JSON Schema that is ready to check values. */
interface ReadyCheck {
  check(value: unknown): { readonly problems: readonly ValueProblem[] };
}

/**
 * Checks a value by a block's schema. Gives a promise only where the schema itself does: a JSON Schema and most Standard Schemas answer
 * at once. With a JSON Schema, which `ready` checks with its patterns, absent properties get their `default`.
 */
export function validateWith(schema: BlockSchema, value: unknown, ready?: ReadyCheck | undefined): Validation | Promise<Validation> {
  if ("jsonSchema" in schema) {
    const filled = withDefaults(schema.jsonSchema, value);
    const issues = ready?.check(filled).problems ?? checkJson(schema.jsonSchema, filled);
    return issues.length > 0 ? { issues } : { value: filled };
  }
  const result = schema["~standard"].validate(value);
  // Also a promise of another frame, or of a library that has its own.
  return "then" in result ? Promise.resolve(result).then(toValidation) : toValidation(result);
}

function toValidation(result: StandardResult<unknown>): Validation {
  if (!result.issues) return { value: result.value };
  return {
    issues: result.issues.slice(0, MAX_PROBLEMS).map(({ message, path }) => {
      const place = (path ?? []).reduce<ValuePlace>(within, undefined);
      return { path: pathOf(place), instancePath: pointerOf(place), code: "invalid", message };
    }),
  };
}

function within(up: ValuePlace, part: PropertyKey | { readonly key: PropertyKey }): ValuePlace {
  const key = typeof part === "object" ? part.key : part;
  return { up, key: typeof key === "number" ? key : String(key) };
}

function withDefaults(schema: JsonSchema, value: unknown): unknown {
  if (!schema.properties || !isRecord(value)) return value;
  const missing = Object.entries(schema.properties).filter(([name, part]) => part.default !== undefined && !Object.hasOwn(value, name));
  if (missing.length === 0) return value;
  return { ...value, ...Object.fromEntries(missing.map(([name, part]) => [name, part.default])) };
}
