import { choicesOf } from "./choices.ts";
import { canonicalText } from "./fingerprint.ts";
import { isDay } from "./day.ts";
import { dayOfLimit } from "./day-limit.ts";
import type { PartCheck, RareCheck } from "./check-json.ts";
import { isPlainRecord, type JsonSchema } from "./json-schema.ts";
import { pickText } from "./localized-text.ts";

/** What the keywords mean that most schemas do without. */
export const checkRare: RareCheck = (schema, value, at) => {
  const { allOf = [], anyOf, oneOf, not, $ref } = schema;
  if ($ref !== undefined) at.check(resolve($ref, at.root), value);
  for (const part of allOf) at.check(part, value);
  if (schema.if) {
    const part = at.fits(schema.if, value) ? schema.then : schema.else;
    if (part) at.check(part, value);
  }
  if (anyOf && !anyOf.some((part) => at.fits(part, value))) reportUnion("anyOf", anyOf, value, at);
  if (oneOf) {
    const count = oneOf.reduce((sum, part) => sum + (sum < 2 && at.fits(part, value) ? 1 : 0), 0);
    if (count === 0) reportUnion("oneOf", oneOf, value, at);
    else if (count > 1) at.report("oneOf", "fits more than one of the forms that it may have");
  }
  if (not && at.fits(not, value)) at.report("not", "is not allowed like this");
  if (typeof value === "string") checkDay(schema, value, at);
  else if (Array.isArray(value)) checkItems(schema, value, at);
  else if (isPlainRecord(value)) checkMembers(schema, value, at);
};

/** Of a day and a time the day counts, as it is written. */
function checkDay({ minDate, maxDate }: JsonSchema, value: string, at: PartCheck): void {
  const day = value.slice(0, "2026-11-21".length);
  if (!isDay(day)) return;
  const dayOf = (limit: string = day): string => (isDay(limit) ? limit : at.now === undefined ? day : dayOfLimit(limit, at.now));
  const [first, last] = [dayOf(minDate), dayOf(maxDate)];
  if (day < first) at.report("minDate", `must be ${first} or later`, { limit: first });
  else if (day > last) at.report("maxDate", `must be ${last} or earlier`, { limit: last });
}

function checkItems(
  { items = {}, exclusive = [], prefixItems = [], contains, minContains = 1, maxContains = Infinity }: JsonSchema,
  value: readonly unknown[],
  at: PartCheck,
): void {
  const isAmong = (one: unknown): boolean => value.some((item) => canonicalText(item) === canonicalText(one));
  const alone = value.length > 1 ? exclusive.find(isAmong) : undefined;
  if (alone !== undefined) {
    const { title = JSON.stringify(alone) } = choicesOf(items).find((choice) => canonicalText(choice.const) === canonicalText(alone)) ?? {};
    at.report("exclusive", `must hold either ${pickText(title)} or others, not both`, { exclusive: alone });
  }
  prefixItems.slice(0, value.length).forEach((part, i) => at.check(part, value[i], i));
  if (!contains) return;
  const found = value.reduce<number>((sum, item) => sum + (at.fits(contains, item) ? 1 : 0), 0);
  if (found < minContains) at.report("contains", `must hold at least ${minContains} of what is asked for`, { limit: minContains });
  else if (found > maxContains) at.report("contains", `must hold at most ${maxContains} of what is asked for`, { limit: maxContains });
}

function checkMembers(schema: JsonSchema, value: { readonly [name: string]: unknown }, at: PartCheck): void {
  const {
    minProperties = 0,
    maxProperties = Infinity,
    dependentRequired = {},
    dependentSchemas = {},
    patternProperties = {},
    propertyNames,
  } = schema;
  const names = Object.keys(value);
  if (names.length < minProperties) at.report("minProperties", `must have at least ${minProperties} entries`, { limit: minProperties });
  if (names.length > maxProperties) at.report("maxProperties", `must have at most ${maxProperties} entries`, { limit: maxProperties });
  for (const [name, needed] of Object.entries(dependentRequired)) {
    if (Object.hasOwn(value, name)) at.require(needed);
  }
  for (const [name, part] of Object.entries(dependentSchemas)) if (Object.hasOwn(value, name)) at.check(part, value);
  for (const name of names) {
    if (propertyNames && !at.fits(propertyNames, name)) at.report("propertyNames", "has a name that is not allowed", undefined, name);
    for (const [pattern, part] of Object.entries(patternProperties)) if (at.matches(pattern, name)) at.check(part, value[name], name);
  }
}

/** Where a value may have several forms, the one that it says it has is found by a member that has its own value in each. */
function reportUnion(code: "anyOf" | "oneOf", parts: readonly JsonSchema[], value: unknown, at: PartCheck): void {
  const meant = parts.filter((part) => isMeant(part, value));
  if (meant.length === 1) return at.check(meant[0]!, value);
  const ofType = parts.filter((part) => at.fits(part.type === undefined ? {} : { type: part.type }, value));
  if (ofType.length === 1) return at.check(ofType[0]!, value);
  at.report(code, `must have one of ${parts.length} forms`);
}

function isMeant({ properties = {} }: JsonSchema, value: unknown): boolean {
  return (
    isPlainRecord(value) &&
    Object.entries(properties).some(
      ([name, part]) => part.const !== undefined && Object.hasOwn(value, name) && canonicalText(part.const) === canonicalText(value[name]),
    )
  );
}

/** What does not exist is refused before. */
function resolve($ref: string, root: JsonSchema): JsonSchema {
  const name = $ref.slice("#/$defs/".length);
  return $ref === "#" ? root : (root.$defs?.[name] ?? {});
}
