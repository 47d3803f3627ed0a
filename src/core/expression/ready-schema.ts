import { checkJson, type CheckOptions } from "../model/check-json.ts";
import { WorkflowError } from "../model/errors.ts";
import { schemaNeeds } from "../model/check-json-schema.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import type { ValueProblem } from "../model/value-problem.ts";
import type { ConditionProblem } from "./form-conditions.ts";
import type * as RareKeywords from "./rare-keywords.ts";
import { formatPath } from "./walk-path.ts";
import { compileMatcher } from "./pattern.ts";

/** A schema that values can be checked by, offline from now on. */
export interface ReadySchema {
  /** What of a value counts, and what is wrong with that: all of it at once. */
  check(value: unknown, options?: Pick<CheckOptions, "formats" | "now">): CheckedValue;
}

export interface CheckedValue {
  /** Without what a form does not ask; else the value itself. */
  readonly value: unknown;
  readonly hidden: ReadonlySet<string>;
  readonly problems: readonly ValueProblem[];
}

const ready = new WeakMap<JsonSchema, Promise<ReadySchema>>();
const NOTHING: ReadonlySet<string> = new Set();

/**
 * Makes a schema ready: compiles its patterns and checks its conditions, and loads what that takes. Rejects with `PATTERN_INVALID`, and with `SCHEMA_INVALID`
 * for conditions that cannot be meant.
 */
export function readySchema(schema: JsonSchema): Promise<ReadySchema> {
  const known = ready.get(schema) ?? makeReady(schema);
  ready.set(schema, known);
  return known;
}

/** Whether values can be checked by a schema without anything being loaded. */
export function isPlainSchema(schema: JsonSchema): boolean {
  const { patterns, hasConditions, isRare } = schemaNeeds(schema);
  return patterns.length === 0 && !hasConditions && !isRare;
}

/** What is wrong with the conditions and rules of a schema. */
export async function findConditionProblems(schema: JsonSchema): Promise<readonly ConditionProblem[]> {
  return schemaNeeds(schema).hasConditions ? (await loadRareKeywords()).checkConditions(schema) : [];
}

/** What a schema needs loaded before values are checked by it, or by a part of it, with {@link checkJson}. */
export async function loadChecks(schema: JsonSchema): Promise<Pick<CheckOptions, "matches" | "rare">> {
  const { patterns, isRare } = schemaNeeds(schema);
  const matches = await compileMatcher(patterns);
  return { matches, rare: isRare ? (await loadRareKeywords()).checkRare : undefined };
}

function loadRareKeywords(): Promise<typeof RareKeywords> {
  return import("./rare-keywords.ts");
}

async function makeReady(schema: JsonSchema): Promise<ReadySchema> {
  const checks = await loadChecks(schema);
  if (!schemaNeeds(schema).hasConditions) {
    return { check: (value, options) => ({ value, hidden: NOTHING, problems: checkJson(schema, value, { ...checks, ...options }) }) };
  }
  const { evaluateForm } = await loadRareKeywords();
  const [wrong] = await findConditionProblems(schema);
  if (wrong)
    throw new WorkflowError("SCHEMA_INVALID", `${formatPath(wrong.keys)}: ${wrong.message}`, { details: { keys: [...wrong.keys] } });
  return {
    check(value, options) {
      const state = evaluateForm(schema, value);
      const { hidden } = state;
      const problems = checkJson(schema, state.value, { ...checks, hidden, ...options });
      return { value: state.value, hidden, problems: [...problems, ...state.problems] };
    },
  };
}
