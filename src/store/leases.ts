import { WorkflowError } from "../core/model/errors.ts";
import type { Release } from "../core/ports/store.ts";

const SHORTEST_LEASE_MS = 1_000;
const LEASE_MS = 15_000;

/** The rows that say which process holds which run, and until when. */
export interface LeaseRows {
  /** Takes a run that has no holder any more. Returns whether it did. */
  take(run: string): Promise<boolean>;
  /**
   * Renews the leases of these runs that this store still holds, and returns those runs. Renews no others: one whose release failed ends with its time.
   */
  renew(runs: readonly string[]): Promise<ReadonlySet<string>>;
  drop(run: string): Promise<void>;
}

/** The runs that one store holds. */
export interface Leases {
  take(run: string, lost?: () => void): Promise<Release | undefined>;
  /** Releases all of them. */
  close(): Promise<void>;
}

/** Returns the length of a lease that the host asked for. Throws `POLICY_INVALID` if it is too short to be renewed in time. */
export function leaseTime(of: string, leaseMs: number = LEASE_MS): number {
  if (leaseMs >= SHORTEST_LEASE_MS) return leaseMs;
  throw new WorkflowError(
    "POLICY_INVALID",
    `${of}: leaseMs is a number of milliseconds from ${SHORTEST_LEASE_MS}, not ${String(leaseMs)}.`,
  );
}

/** Holds runs by rows, and renews them after a third of their time while there are any. */
export function leasesIn(rows: LeaseRows, leaseMs: number): Leases {
  const held = new Map<string, { readonly lost: (() => void) | undefined }>();
  let timer: ReturnType<typeof setInterval> | undefined;

  async function renew(): Promise<void> {
    const asked = [...held];
    const still = await rows.renew(asked.map(([run]) => run));
    for (const [run, claim] of asked) {
      if (still.has(run) || held.get(run) !== claim) continue;
      held.delete(run);
      claim.lost?.();
    }
  }

  function start(): void {
    timer ??= setInterval(() => {
      // The commits of the run meet the same failure and report it. Where it lasts, others take the run, and the next renewal that succeeds finds that.
      renew().catch(() => {});
    }, leaseMs / 3);
    (timer as { unref?(): void }).unref?.();
  }

  async function release(run: string, claim: unknown): Promise<void> {
    if (held.get(run) !== claim) return;
    held.delete(run);
    if (held.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    await rows.drop(run);
  }

  return {
    async take(run, lost) {
      if (!(await rows.take(run))) return undefined;
      const before = held.get(run);
      const claim = { lost };
      held.set(run, claim);
      // This process stood still for so long that its own claim had ended.
      before?.lost?.();
      start();
      return () => release(run, claim);
    },
    async close() {
      for (const [run, claim] of held) await release(run, claim);
    },
  };
}
