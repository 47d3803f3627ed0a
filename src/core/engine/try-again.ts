import type { ErrorCode, ErrorData } from "../model/errors.ts";
import type { AttemptedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { RetryPolicy } from "../model/workflow.ts";
import { keptError, stepFields } from "./record-step.ts";
import type { Step } from "./step.ts";

/** Milliseconds before the second attempt, where the policy does not say. */
const DELAY_MS = 1_000;
const BACKOFF = 2;
const MAX_DELAY_MS = 60_000;

/** What the definition, the host or a person has decided is no different the next time. */
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
  "PAUSE_TIMEOUT",
  "REFERENCE_FORBIDDEN",
  "REFERENCE_UNKNOWN",
  "RUN_CANCELLED",
  "SECRET_MISSING",
  "SHELL_UNSAFE",
  "WORKFLOW_CIRCULAR",
  "WORKFLOW_NOT_FOUND",
]);

/** Records that a block failed and when it is tried again; false where the failure is final. Seed 1, "Error Handling". */
export function tryAgain(step: Step, policy: RetryPolicy, error: ErrorData): boolean {
  if (step.failures + 1 >= policy.maxAttempts || FINAL.has(error.code)) return false;
  const { session, host } = step.around;
  if (session.state.size > session.sizeLimit) return false;
  const fields = stepFields(step);
  const until = fields.at + delay(policy, step.failures + 1, host.random());
  const answers = step.answers === undefined ? {} : { pause: step.answers };
  const entry: AttemptedEntry = { type: "attempted", ...fields, ...answers, error: keptError(error), until };
  const text = JSON.stringify(entry);
  if (text.length > MAX_VALUE_LENGTH) return false;
  session.record(entry, entry, text);
  return true;
}

/** Milliseconds before the attempt after this one. */
function delay(policy: RetryPolicy, attempt: number, chance: number): number {
  const { delayMs = DELAY_MS, backoff = BACKOFF, maxDelayMs = Math.max(MAX_DELAY_MS, delayMs), jitter = 0 } = policy;
  const full = Math.min(maxDelayMs, delayMs * backoff ** (attempt - 1));
  return Math.round(full * (1 - jitter * chance));
}
