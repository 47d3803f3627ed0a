import type { JsonSchema } from "../model/json-schema.ts";
import { isRecord } from "../model/value.ts";

/** What the library of a schema tells of it may hold anything; only what is of the right kind is looked at. */
type Schema = JsonSchema | undefined;

/**
 * Resolved inputs with numbers and booleans written as text where one reference is all that was written and the schema wants a text: `42`,
 * `true`. What a reference inside a list or an object gave is treated alike; what such a value itself holds is data and stays as it is.
 */
export function writeTexts(schema: Schema, written: unknown, value: unknown): unknown {
  if (typeof written === "string") return isPlain(value) && wantsText(schema, typeof value) ? String(value) : value;
  if (Array.isArray(written) && Array.isArray(value)) return changed(value, (item, i) => writeTexts(schema?.items, written[i], item));
  if (!isRecord(written) || !isRecord(value)) return value;
  const members = Object.entries(value);
  const texts = changed(members, (entry) => {
    const text = writeTexts(memberSchema(schema, entry[0]), written[entry[0]], entry[1]);
    return text === entry[1] ? entry : ([entry[0], text] as [string, unknown]);
  });
  return texts === members ? value : Object.fromEntries(texts);
}

/** The schema of what stands at the end of these keys. */
export function schemaAt(schema: Schema, keys: readonly (string | number)[]): Schema {
  return keys.reduce((at, key) => (typeof key === "number" ? at?.items : memberSchema(at, key)), schema);
}

function isPlain(value: unknown): value is number | boolean | bigint {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
}

/** Whether a text is wanted and a value of this type is not. */
export function wantsText(schema: Schema, type: string): boolean {
  const types = [schema?.type ?? []].flat() as readonly string[];
  return types.includes("string") && !types.includes(type) && !(type === "number" && types.includes("integer"));
}

function memberSchema(schema: Schema, key: string): Schema {
  const { properties, additionalProperties } = schema ?? {};
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  return isRecord(additionalProperties) ? additionalProperties : undefined;
}

/** The list with each member replaced; the list itself where none changes. */
function changed<T>(list: readonly T[], replace: (member: T, i: number) => T): readonly T[] {
  let copy: T[] | undefined;
  for (const [i, member] of list.entries()) {
    const other = replace(member, i);
    if (other !== member) (copy ??= [...list])[i] = other;
  }
  return copy ?? list;
}
