import { WorkflowError } from "../model/errors.ts";
import { isRecord, type Value } from "../model/value.ts";
import { showValue, withArticle } from "../model/value-type.ts";
import type { ValueType } from "../model/workflow.ts";
import { textOf } from "./render.ts";

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Converts a value to a type: texts to numbers and booleans (`true`, `false`, any case), JSON texts to lists and objects, anything to text. null stays
 * null: it is what a skipped block gives. `name` is that of the output. Throws `OUTPUT_INVALID`.
 */
export function convertOutput(value: Value, type: ValueType, name: string): Value {
  if (value === null) return null;
  const converted = convert(value, type);
  if (converted !== undefined) return converted;
  throw new WorkflowError(
    "OUTPUT_INVALID",
    `Output "${name}" must be ${withArticle(type)}, and ${showValue(value)} cannot be made one. Change its value or its type.`,
    { details: { output: name, type } },
  );
}

function convert(value: Value, type: ValueType): Value | undefined {
  switch (type) {
    case "string":
      return textOf(value);
    case "number":
      return toNumber(value);
    case "integer": {
      const number = toNumber(value);
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case "boolean":
      return toBoolean(value);
    case "array": {
      const list = typeof value === "string" ? parseJson(value) : value;
      return Array.isArray(list) ? list : undefined;
    }
    case "object": {
      const record = typeof value === "string" ? parseJson(value) : value;
      return isRecord(record) ? record : undefined;
    }
  }
}

function toNumber(value: Value): number | undefined {
  if (typeof value === "boolean") return value ? 1 : 0;
  const number = typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function toBoolean(value: Value): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value === 1 ? true : value === 0 ? false : undefined;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (word === "true") return true;
  return word === "false" ? false : undefined;
}

function parseJson(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
