/** How a run is written, and what is kept of it. */
export interface RunPolicy {
  /**
   * `sync`: the next wave waits until the steps of this one are stored. `async`: steps are written in the background, in order; after a crash the
   * newest may run again. With both, pauses and the end of a run wait for the write. `exit`: one write when the run pauses or ends; a crash loses
   * everything since the write before; only with `retention: "latest"`. Default: `async`.
   */
  readonly durability?: "sync" | "async" | "exit";
  /** `full`: the whole journal. `latest`: the newest state alone. `windowed`: what happened in the last `window` supersteps. Default: `full`. */
  readonly retention?: "full" | "latest" | "windowed";
  /** Supersteps, from 1; with `windowed` only, which needs it. */
  readonly window?: number;
  /**
   * The most characters that the values of one run may take in all, from 1. Default: 10,485,760 (10 MB). A workflow or a start may only lower the
   * limit of the executor.
   */
  readonly maxCheckpointBytes?: number;
}

export const DURABILITIES = ["sync", "async", "exit"] as const;
export const RETENTIONS = ["full", "latest", "windowed"] as const;

/** Every part of a policy of a run. */
export const RUN_POLICY_PARTS = { durability: true, retention: true, window: true, maxCheckpointBytes: true } as const;

/** A policy of which parts may be left out in either way. */
type Parts = { readonly [part in keyof RunPolicy]: RunPolicy[part] | undefined };

/** What is wrong with a policy, and which part has to be changed. */
interface PolicyProblem {
  readonly part: keyof RunPolicy;
  readonly message: string;
}

/** Looks for a part that contradicts another one, or is out of range. What is left out has its default. */
export function findPolicyProblem({
  durability = "async",
  retention = "full",
  window,
  maxCheckpointBytes,
}: Parts): PolicyProblem | undefined {
  if (!DURABILITIES.includes(durability)) return { part: "durability", message: 'policy.durability is "sync", "async" or "exit".' };
  if (!RETENTIONS.includes(retention)) return { part: "retention", message: 'policy.retention is "full", "latest" or "windowed".' };
  if (durability === "exit" && retention !== "latest") {
    const message = `policy.durability "exit" needs retention "latest", not "${retention}": steps that are never written cannot be kept.`;
    return { part: "retention", message };
  }
  if (retention === "windowed" && window === undefined) {
    return { part: "window", message: 'policy.retention "windowed" needs a window: how many supersteps to keep.' };
  }
  if (retention !== "windowed" && window !== undefined) {
    return { part: "window", message: `policy.window goes only with retention "windowed", not with "${retention}".` };
  }
  for (const [part, value] of Object.entries({ window, maxCheckpointBytes })) {
    if (value !== undefined && !isCountFromOne(value)) {
      return { part: part as keyof RunPolicy, message: `policy.${part} is a whole number from 1.` };
    }
  }
  return undefined;
}

/** Whether a value is a whole number from 1. */
export function isCountFromOne(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/**
 * A policy that says what `over` says, and for the rest what `under` says. A window belongs to its retention, and `exit` gives way to a retention that
 * keeps more: then the run is written in the background.
 */
export function mergePolicies(under: Parts, over: Parts): RunPolicy {
  const { retention = under.retention, durability = under.durability, window = over.retention ? undefined : under.window } = over;
  const { maxCheckpointBytes = under.maxCheckpointBytes } = over;
  return {
    ...(durability && { durability: durability === "exit" && retention !== "latest" ? "async" : durability }),
    ...(retention && { retention }),
    ...(window && { window }),
    ...(maxCheckpointBytes && { maxCheckpointBytes }),
  };
}
