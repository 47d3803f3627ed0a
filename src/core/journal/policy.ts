import { WorkflowError } from "../model/errors.ts";
import { MAX_CHECKPOINT_LENGTH } from "../model/limits.ts";
import { assertOptions } from "../model/assert-options.ts";
import { findPolicyProblem, isCountFromOne, mergePolicies, RUN_POLICY_PARTS, type RunPolicy } from "../model/policy.ts";

/** When steps are written, what of a run's history is kept, and for how long. */
export interface CheckpointPolicy extends RunPolicy {
  /** Milliseconds after which a cleanup removes runs that have ended, and automatic checkpoints of others. Default: never. */
  readonly ttlMs?: number;
  /** Automatic checkpoints that lists keep for each workflow; pauses do not count. From 1. Default: all. */
  readonly maxPerWorkflow?: number;
  /** Whether runs that wait for an answer outlive `ttlMs`. Default: true. */
  readonly keepPaused?: boolean;
  /**
   * Whether the executor cleans by itself while it is open: on first use, every `cleanupIntervalMs`, and where `maxPerWorkflow` is exceeded. Default:
   * true.
   */
  readonly autoCleanup?: boolean;
  /** Milliseconds between two cleanups, from 1. Default: 3,600,000 (an hour). */
  readonly cleanupIntervalMs?: number;
}

/** Parts without a default: what they limit is not limited. */
type Limit = "window" | "ttlMs" | "maxPerWorkflow";

/** A policy with its defaults. */
export type Policy = Required<Omit<CheckpointPolicy, Limit>> & { readonly [name in Limit]: number | undefined };

const DEFAULTS: Policy = {
  durability: "async",
  retention: "full",
  window: undefined,
  ttlMs: undefined,
  maxPerWorkflow: undefined,
  keepPaused: true,
  maxCheckpointBytes: MAX_CHECKPOINT_LENGTH,
  autoCleanup: true,
  cleanupIntervalMs: 3_600_000,
};

/** Gives a policy its defaults. Throws `POLICY_INVALID` for parts that contradict each other. */
export function resolvePolicy(given: CheckpointPolicy = {}): Policy {
  assertOptions("policy", given, DEFAULTS);
  const parts = Object.entries(DEFAULTS).map(([name, value]) => [name, given[name as keyof Policy] ?? value] as const);
  const policy = Object.fromEntries(parts) as unknown as Policy;
  assertPolicy(policy);
  return policy;
}

/** Throws `POLICY_INVALID` for parts that contradict each other or are out of range. */
export function assertPolicy(policy: Policy): void {
  const problem = findProblem(policy);
  if (problem) throw new WorkflowError("POLICY_INVALID", problem);
}

/** Throws `KEY_UNKNOWN` and `POLICY_INVALID` for a policy of a run that cannot be. */
export function assertRunPolicy(given: RunPolicy | undefined): void {
  assertOptions("policy", given, RUN_POLICY_PARTS);
  const problem = given && findPolicyProblem(given);
  if (problem) throw new WorkflowError("POLICY_INVALID", problem.message);
}

/** The policy under which a run goes on: its own, and for what that does not say that of the executor, whose limit no run can raise. */
export function policyOf(policy: Policy, own: RunPolicy | undefined): Policy {
  if (!own) return policy;
  const merged = mergePolicies(policy, own);
  const maxCheckpointBytes = Math.min(policy.maxCheckpointBytes, merged.maxCheckpointBytes!);
  return { ...policy, window: undefined, ...merged, maxCheckpointBytes };
}

function findProblem(policy: Policy): string | undefined {
  const problem = findPolicyProblem(policy);
  if (problem) return problem.message;
  for (const name of ["ttlMs", "maxPerWorkflow", "cleanupIntervalMs"] as const) {
    const value = policy[name];
    if (value !== undefined && !isCountFromOne(value)) return `policy.${name} is a whole number from 1.`;
  }
  for (const name of ["keepPaused", "autoCleanup"] as const) {
    if (typeof policy[name] !== "boolean") return `policy.${name} is true or false.`;
  }
  return undefined;
}
