import type { JsonSchema } from "../../model/run.ts";
import { isRecord } from "../../model/value.ts";
import { maskValue } from "./mask-value.ts";
import { MASK, type Masker } from "./masker.ts";

/**
 * A schema with the secrets in its texts, choices and names masked, its keywords left as they are: a secret that happens to read "string" must
 * not make a question that nobody can answer. Answers are masked before they are checked, so what fitted still fits.
 */
export function maskSchema(schema: JsonSchema, masker: Masker): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]: [string, unknown]): [string, unknown] => {
    switch (keyword) {
      case "type":
      case "format":
        return [keyword, value];
      case "pattern":
        return [keyword, maskPattern(String(value), masker)];
      case "items":
      case "additionalProperties":
        return [keyword, isRecord(value) ? maskSchema(value, masker) : value];
      case "properties":
        return [keyword, maskProperties(value as NonNullable<JsonSchema["properties"]>, masker)];
      default:
        return [keyword, maskValue(value, masker)];
    }
  });
  return Object.fromEntries(entries);
}

function maskProperties(properties: NonNullable<JsonSchema["properties"]>, masker: Masker): JsonSchema["properties"] {
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [masker.text(name), maskSchema(part, masker)]));
}

/** The asterisks stand for themselves, as they do in the masked answer. */
function maskPattern(pattern: string, masker: Masker): string {
  const masked = masker.text(pattern);
  return masked === pattern ? pattern : masked.replaceAll(MASK, String.raw`\*\*\*`);
}
