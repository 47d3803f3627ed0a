import fc from "fast-check";
import type { FormRule, JsonSchema, Value, Values } from "wavepoint";

/** The members of one object of a form, and the rules between them. */
export interface Level {
  readonly fields: readonly Field[];
  readonly rules: readonly Rule[];
}

export interface Field {
  readonly name: string;
  readonly kind: "flag" | "choice" | "count" | "group" | "rows";
  readonly isRequired: boolean;
  readonly preset?: Value | undefined;
  /** The condition under which it is asked: over a field that stands before it, beside it or around it. */
  readonly when?: { readonly field: string; readonly value: Value; readonly isNot: boolean } | undefined;
  /** Of a group, and of each of the rows. */
  readonly inner?: Level | undefined;
}

/** One count must not be less than another. */
export interface Rule {
  readonly low: string;
  readonly high: string;
}

const VALUES = { flag: [true, false], choice: ["red", "blue"], count: [0, 1, 2] } as const;

interface Plan {
  readonly kind: Field["kind"];
  readonly isRequired: boolean;
  readonly preset: number | undefined;
  readonly when: { readonly field: number; readonly value: number; readonly isNot: boolean } | undefined;
  readonly inner: readonly Plan[];
}

const plans = (depth: number): fc.Arbitrary<Plan> =>
  fc.record({
    kind: fc.constantFrom<Field["kind"][]>("flag", "choice", "count", "count", "count", ...(depth > 0 ? (["group", "rows"] as const) : [])),
    isRequired: fc.boolean(),
    preset: fc.option(fc.nat(5), { nil: undefined, freq: 2 }),
    when: fc.option(fc.record({ field: fc.nat(20), value: fc.nat(5), isNot: fc.boolean() }), { nil: undefined, freq: 4 }),
    inner: depth > 0 ? fc.array(plans(depth - 1), { minLength: 1, maxLength: 3 }) : fc.constant([]),
  });

/** Forms of up to three levels. */
export const forms: fc.Arbitrary<Level> = fc.array(plans(2), { minLength: 2, maxLength: 6 }).map((given) => levelOf(given, "f", []));

function levelOf(given: readonly Plan[], prefix: string, around: readonly Field[]): Level {
  const fields: Field[] = [];
  for (const [i, { kind, isRequired, preset, when, inner }] of given.entries()) {
    const before = [...around, ...fields].filter((field) => valuesOf(field.kind).length > 0);
    const seen = before[(when?.field ?? 0) % before.length];
    const name = `${prefix}${i}`;
    fields.push({
      name,
      kind,
      isRequired: isRequired && preset === undefined,
      preset: preset === undefined ? undefined : pick(kind, preset),
      when: when && seen && { field: seen.name, value: pick(seen.kind, when.value)!, isNot: when.isNot },
      inner: valuesOf(kind).length > 0 ? undefined : levelOf(inner, `${name}_`, before),
    });
  }
  const counts = fields.filter(({ kind }) => kind === "count").map(({ name }) => name);
  return { fields, rules: counts.slice(1).map((high, i) => ({ low: counts[i]!, high })) };
}

function valuesOf(kind: Field["kind"]): readonly Value[] {
  return kind === "group" || kind === "rows" ? [] : VALUES[kind];
}

function pick(kind: Field["kind"], index: number): Value | undefined {
  const values = valuesOf(kind);
  return values[index % values.length];
}

/** The form as a question has it. */
export function schemaOfForm({ fields, rules }: Level): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
    ...(rules.length > 0 ? { rules: rules.map(ruleOf) } : {}),
  };
}

function ruleOf({ low, high }: Rule): FormRule {
  return { check: `\${fields.${high}} >= \${fields.${low}}`, field: high, message: `${high} is too small.` };
}

function schemaOf({ kind, preset, when, inner }: Field): JsonSchema {
  const own: JsonSchema = {
    ...(preset === undefined ? {} : { default: preset }),
    ...(when ? { showIf: `\${fields.${when.field}} ${when.isNot ? "!=" : "=="} ${written(when.value)}` } : {}),
  };
  if (kind === "group") return { ...schemaOfForm(inner!), ...own };
  if (kind === "rows") return { type: "array", items: schemaOfForm(inner!), ...own };
  return kind === "flag" ? { type: "boolean", ...own } : kind === "count" ? { type: "integer", ...own } : { enum: VALUES.choice, ...own };
}

function written(value: Value): string {
  return typeof value === "string" ? `'${value}'` : JSON.stringify(value);
}

/** What may be given as an answer, hidden fields among it. Each value has the type of its field. */
export function answersTo({ fields }: Level): fc.Arbitrary<Values> {
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, answerTo(field)])), { requiredKeys: [] }) as fc.Arbitrary<Values>;
}

function answerTo({ kind, inner }: Field): fc.Arbitrary<Value> {
  if (kind === "group") return answersTo(inner!);
  if (kind === "rows") return fc.array(answersTo(inner!), { maxLength: 2 });
  return fc.constantFrom(...valuesOf(kind));
}
