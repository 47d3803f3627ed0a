import type { FieldError } from "../core/model/value-problem.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import type * as FormConditions from "../core/expression/form-conditions.ts";

/** The conditions of a form, evaluated while a person types. */
export interface FormConditionState {
  /** Fields that are not asked now, by JSON Pointers: `/police`. */
  readonly hidden: ReadonlySet<string>;
  /** Rules between fields that do not hold now. */
  readonly broken: readonly FieldError[];
}

const CONDITIONS = /"(?:showIf|rules)":/;

const conditional = new WeakMap<JsonSchema, boolean>();
let loaded: typeof FormConditions | undefined;
let loading: Promise<unknown> | undefined;

/**
 * Evaluates the conditions of a form on its current values; nothing where it has none. The code for that is loaded for the first form with conditions. Until
 * then fields with a condition count as not asked; `changed` is called once it is loaded.
 */
export function lookAtForm(schema: JsonSchema, value: unknown, changed: () => void): FormConditionState | undefined {
  if (!hasConditions(schema)) return undefined;
  if (loaded) {
    const { hidden, problems } = loaded.evaluateForm(schema, value);
    return { hidden, broken: problems.map(({ path: _path, ...problem }) => problem) };
  }
  loading ??= load();
  void loading.then(changed);
  return { hidden: new Set(conditionalFields(schema, "")), broken: [] };
}

async function load(): Promise<void> {
  loaded = await import("../core/expression/form-conditions.ts");
}

function hasConditions(schema: JsonSchema): boolean {
  const known = conditional.get(schema) ?? CONDITIONS.test(JSON.stringify(schema));
  conditional.set(schema, known);
  return known;
}

function conditionalFields({ properties = {} }: JsonSchema, place: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, part]) => {
    const at = `${place}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return part.showIf === undefined ? conditionalFields(part, at) : [at];
  });
}
