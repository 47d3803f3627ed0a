import type { ErrorCode } from "../model/errors.ts";
import { DEFAULT_MAX_DELAY_MS, type RetryPolicy } from "../model/workflow.ts";
import { definitionOf, type RunPlan } from "./run-plan.ts";
import type { RunState } from "./state.ts";
import { unitState } from "./unit-state.ts";
import type { Unit } from "./unit.ts";

/** A failure of a block or item, as it happened. */
export interface Failure {
  readonly unit: Unit;
  readonly code: ErrorCode;
  /** When it failed, in milliseconds after the start. */
  readonly at: number;
  /** From 0 up to 1: what the policy leaves to chance. */
  readonly chance: number;
}

/** What follows a failure. */
export type Consequence =
  /** The block runs again at this instant, in milliseconds after the start. */
  { readonly do: "retry"; readonly until: number } | { readonly do: "fail" };

/** Milliseconds before the second attempt, where the policy does not say. */
const DELAY_MS = 1_000;
const BACKOFF = 2;

/** Failures that a retry cannot change: the definition, the host or a person decided them. */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "BLOCK_INPUT_INVALID",
  "BLOCK_NOT_INTERACTIVE",
  "BLOCK_TYPE_UNKNOWN",
  "CAPABILITY_MISSING",
  "EACH_INVALID",
  "ENVIRONMENT_FORBIDDEN",
  "EXPRESSION_TYPE",
  "HOST_FORBIDDEN",
  "LIMIT_EXCEEDED",
  "OUTCOME_UNKNOWN",
  "PATH_FORBIDDEN",
  "PAUSE_DECLINED",
  "PAUSE_ENDED",
  "PAUSE_TIMEOUT",
  "REFERENCE_FORBIDDEN",
  "REFERENCE_UNKNOWN",
  "RUN_CANCELLED",
  "SECRET_MISSING",
  "SHELL_UNSAFE",
  "SIGNAL_INVALID",
  "WORKFLOW_CIRCULAR",
  "WORKFLOW_NOT_FOUND",
]);

const FAIL: Consequence = { do: "fail" };

/**
 * Decides whether a failed block or item is retried, and when, by its policy and the attempts that the state counts. The failure is not an entry yet: it
 * is recorded with this decision. A failure to get the items of a block is final, since the same would happen again.
 */
export function decideFailure(plan: RunPlan, state: RunState, { unit, code, at, chance }: Failure): Consequence {
  const { retry, forEach } = definitionOf(plan, state).workflow.blocks[unit.block]!;
  const attempt = (unitState(state, unit).progress.retries ?? 0) + 1;
  if (!retry || attempt >= retry.maxAttempts || FINAL.has(code)) return FAIL;
  if (forEach !== undefined && unit.item === undefined) return FAIL;
  return { do: "retry", until: at + delay(retry, attempt, chance) };
}

/** Milliseconds between an attempt and the next. */
function delay(policy: RetryPolicy, attempt: number, chance: number): number {
  const { delayMs = DELAY_MS, backoff = BACKOFF, maxDelayMs = Math.max(DEFAULT_MAX_DELAY_MS, delayMs), jitter = 0 } = policy;
  const full = Math.min(maxDelayMs, delayMs * backoff ** (attempt - 1));
  return Math.round(full * (1 - jitter * chance));
}
