import { WorkflowError } from "../core/model/errors.ts";
import type { FoundModel } from "./models.ts";

/** What models used so far, as it stands in the record of a step. */
export interface Used {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** By the prices that the host gave with its models; 0 where it gave none. */
  readonly cost: number;
  /** Milliseconds that models were at work. */
  readonly ms: number;
}

export const NOTHING_USED: Used = { input_tokens: 0, output_tokens: 0, cost: 0, ms: 0 };

/** What models may use in all. */
export interface Limits {
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
  readonly seconds?: number | undefined;
}

export const LIMITS_SCHEMA = {
  type: "object",
  properties: {
    tokens: { type: "integer", minimum: 0, description: "Tokens that are read and written." },
    cost: { type: "number", minimum: 0, description: "What they cost, by the prices of the host." },
    seconds: { type: "number", minimum: 0, description: "Seconds that models are at work." },
  },
  additionalProperties: false,
  default: {},
  description: "What models may use in all. No model is asked once a limit is reached; what is left bounds how much one may write.",
} as const;

export const USED_SCHEMA = {
  type: "object",
  properties: {
    input_tokens: { type: "integer" },
    output_tokens: { type: "integer" },
    cost: { type: "number", description: "0 where the host gave no prices." },
    ms: { type: "integer", description: "Milliseconds that models were at work." },
  },
  required: ["input_tokens", "output_tokens", "cost", "ms"],
  description: "What models used.",
} as const;

export function addUsed(a: Used, b: Used): Used {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost: a.cost + b.cost,
    ms: a.ms + b.ms,
  };
}

/** The limits of one who is asked in the middle: nothing more than is left. */
export function limitsLeft({ tokens, cost, seconds }: Limits, used: Used): Limits {
  return {
    ...(tokens === undefined ? {} : { tokens: Math.max(0, tokens - used.input_tokens - used.output_tokens) }),
    ...(cost === undefined ? {} : { cost: Math.max(0, cost - used.cost) }),
    ...(seconds === undefined ? {} : { seconds: Math.max(0, seconds - used.ms / 1_000) }),
  };
}

/** What is left for one more call. */
export interface Left {
  /** Tokens that it may write; nothing where there is no limit. */
  readonly outputTokens: number | undefined;
  readonly ms: number | undefined;
}

/** What is left of the limits for a call of this model. Throws `LIMIT_EXCEEDED` where one is reached. */
export function leftOf({ tokens, cost, seconds }: Limits, used: Used, price: FoundModel["price"]): Left {
  const left = [
    ["tokens", tokens, used.input_tokens + used.output_tokens],
    ["cost", cost, used.cost],
    ["seconds", seconds, used.ms / 1_000],
  ] as const;
  for (const [limit, allowed, sofar] of left) if (allowed !== undefined && sofar >= allowed) throw limitReached(limit, sofar, allowed);
  const affordable = [
    tokens === undefined ? Infinity : tokens - used.input_tokens - used.output_tokens,
    cost === undefined || !price?.output ? Infinity : Math.max(1, Math.floor((cost - used.cost) / price.output)),
  ];
  const outputTokens = Math.min(...affordable);
  return {
    outputTokens: outputTokens === Infinity ? undefined : outputTokens,
    ms: seconds === undefined ? undefined : seconds * 1_000 - used.ms,
  };
}

export function limitReached(limit: keyof Limits, used: number, allowed: number): WorkflowError {
  return new WorkflowError(
    "LIMIT_EXCEEDED",
    `Models used ${used} ${limit === "cost" ? "in cost" : limit}; ${allowed} are allowed. Raise limits.${limit}, or give them less to do.`,
    { details: { limit, used, allowed } },
  );
}
