import { WorkflowError } from "../model/errors.ts";
import { MAX_CHECKPOINT_LENGTH } from "../model/limits.ts";
import { assertOptions } from "../model/assert-options.ts";

/** When steps are written, what of a run's history is kept, and for how long. */
export interface CheckpointPolicy {
  /**
   * `sync`: the next wave waits until the steps of this one are stored. `async`: steps are written in the background, in order; a crash may
   * run the newest again. A pause and the end of a run always wait. `exit`: one write when the run pauses or ends; a crash before loses all
   * since the last one; only with `retention: "latest"`. Default: `async`.
   */
  readonly durability?: "sync" | "async" | "exit";
  /** `full`: the whole journal. `latest`: the newest state alone. `windowed`: what happened in the last `window` supersteps. Default: `full`. */
  readonly retention?: "full" | "latest" | "windowed";
  /** Supersteps, from 1; with `windowed` only, which needs it. */
  readonly window?: number;
  /** Milliseconds after which a cleanup removes runs that have ended, and automatic checkpoints of others. Default: never. */
  readonly ttlMs?: number;
  /** Automatic checkpoints that lists keep for each workflow; pauses do not count. From 1. Default: all. */
  readonly maxPerWorkflow?: number;
  /** Whether runs that wait for an answer outlive `ttlMs`. Default: true. */
  readonly keepPaused?: boolean;
  /** Characters that the values of one run may take in all, from 1. Default: 10,485,760 (10 MB). */
  readonly maxCheckpointBytes?: number;
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

function findProblem(policy: Policy): string | undefined {
  const { durability, retention, window } = policy;
  if (!["sync", "async", "exit"].includes(durability)) return 'policy.durability is "sync", "async" or "exit".';
  if (!["full", "latest", "windowed"].includes(retention)) return 'policy.retention is "full", "latest" or "windowed".';
  if (durability === "exit" && retention !== "latest") {
    return `policy.durability "exit" needs retention "latest", not "${retention}": steps that are never written cannot be kept.`;
  }
  if (retention === "windowed" && window === undefined) return 'policy.retention "windowed" needs a window: how many supersteps to keep.';
  if (retention !== "windowed" && window !== undefined)
    return `policy.window goes only with retention "windowed", not with "${retention}".`;
  for (const name of ["window", "ttlMs", "maxPerWorkflow", "maxCheckpointBytes", "cleanupIntervalMs"] as const) {
    const value = policy[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) return `policy.${name} is a whole number from 1.`;
  }
  for (const name of ["keepPaused", "autoCleanup"] as const) {
    if (typeof policy[name] !== "boolean") return `policy.${name} is true or false.`;
  }
  return undefined;
}
