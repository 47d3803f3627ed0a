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
  | { readonly resume: string; readonly response?: Value; readonly fork?: boolean }
  | { readonly revise: string; readonly response: Value }
  | { readonly back: true }
  | ForkAt
  | { readonly continue: Values };

/** A fork of a checkpoint that begins at a block. */
export interface ForkAt {
  readonly fork: string;
  readonly start_at: string;
  readonly outputs?: { readonly [block: string]: Values };
  readonly channels?: Values;
}

/** What an answer that is no text must and may say, by the member that tells its kind. */
const ANSWER_FIELDS: { readonly [kind: string]: { readonly needs?: readonly string[]; readonly may?: readonly string[] } } = {
  checkpoint: { may: ["response", "fork"] },
  delete: {},
  resume: { may: ["response", "fork"] },
  revise: { needs: ["response"] },
  back: {},
  fork: { needs: ["start_at"], may: ["outputs", "channels"] },
  continue: {},
};

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
  /** The values of the first workflow's channels at the end. */
  readonly channels?: Values;
  /** How many runs the store holds at the end, runs that blocks called left out. */
  readonly runs?: number;
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
  return { name, workflows, inputs: record(inputs, '"inputs"') as Values, answers: answers.map(readAnswer), expect: expect as Expectation };
}

function readAnswer(value: unknown, index: number): Answer {
  if (typeof value === "string") return value;
  const found = record(value, `answer ${index}`);
  const kind = Object.keys(ANSWER_FIELDS).find((field) => Object.hasOwn(found, field));
  if (kind === undefined) throw new Error(`answer ${index} is of no known kind: ${JSON.stringify(value)}`);
  const { needs = [], may = [] } = ANSWER_FIELDS[kind]!;
  for (const field of Object.keys(found)) {
    if (field !== kind && ![...needs, ...may].includes(field))
      throw new Error(`answer ${index}: unknown field "${field}" beside "${kind}"`);
  }
  for (const field of needs) if (!Object.hasOwn(found, field)) throw new Error(`answer ${index}: "${field}" is missing`);
  return found as Answer;
}

function record(value: unknown, what: string): { readonly [key: string]: unknown } {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as { readonly [key: string]: unknown };
  throw new Error(`${what} is not an object`);
}
