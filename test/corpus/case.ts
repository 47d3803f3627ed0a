import type { Value, Values } from "wavepoint";

/** One acceptance case: workflows, what is answered, and what must come out. The README of `cases` says what each field means. */
export interface Case {
  readonly name: string;
  readonly workflows: readonly string[];
  readonly inputs: Values;
  readonly answers: readonly Answer[];
  readonly expect: Expectation;
}

export type Answer =
  | string
  | { readonly response?: Value; readonly checkpoint: string; readonly fork?: boolean }
  | { readonly delete: string }
  | { readonly resume: string; readonly response?: Value; readonly fork?: boolean };

export type CaseStatus = "success" | "failure" | "paused" | "load_error";

/** Every item must occur; an inner list means any of them. */
export type Needles = readonly (string | readonly string[])[];

export interface ExpectedPause {
  readonly prompt?: string;
  readonly prompt_contains?: Needles;
  readonly block?: string;
  readonly checkpoint_prefix?: string;
  readonly info?: { readonly [field: string]: Value };
}

export interface Expectation {
  readonly status: CaseStatus | readonly CaseStatus[];
  readonly steps?: readonly (string | readonly string[])[];
  readonly step_errors?: { readonly [step: string]: Needles };
  readonly outputs?: Values;
  readonly outputs_include?: Values;
  readonly output_types?: { readonly [name: string]: string };
  readonly waves?: readonly (readonly string[])[];
  readonly executed?: readonly string[];
  readonly skipped?: readonly string[];
  readonly not_started?: readonly string[];
  readonly error_contains?: Needles;
  readonly pauses?: readonly ExpectedPause[];
  readonly run_counts?: { readonly [block: string]: number };
  readonly resumed_run_counts?: { readonly [block: string]: number };
  readonly distinct_checkpoints?: boolean;
  readonly checkpoints?: { readonly [kind: string]: number };
}

const CASE_FIELDS = new Set(["name", "group", "why", "workflows", "inputs", "answers", "expect"]);

/** Reads a case out of parsed JSON. Throws for what is no case, fields that nobody knows included. */
export function readCase(value: unknown): Case {
  const found = record(value, "the case");
  for (const key of Object.keys(found)) if (!CASE_FIELDS.has(key)) throw new Error(`unknown field "${key}"`);
  const { name, workflows, inputs = {}, answers = [], expect } = found;
  if (typeof name !== "string") throw new Error('"name" is not a text');
  if (!Array.isArray(workflows) || workflows.length === 0 || !workflows.every((text) => typeof text === "string")) {
    throw new Error('"workflows" is not a list of texts');
  }
  if (!Array.isArray(answers)) throw new Error('"answers" is not a list');
  if (!("status" in record(expect, '"expect"'))) throw new Error('"expect" has no "status"');
  return { name, workflows, inputs: record(inputs, '"inputs"') as Values, answers, expect: expect as Expectation };
}

function record(value: unknown, what: string): { readonly [key: string]: unknown } {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as { readonly [key: string]: unknown };
  throw new Error(`${what} is not an object`);
}
