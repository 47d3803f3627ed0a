import type { JsonSchema } from "../../model/run.ts";

/** A value of the shape a schema asks for, to stand where there is none, so that what is around it can be checked. */
export function substitute(schema: JsonSchema): unknown {
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
