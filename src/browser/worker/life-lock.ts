/** A Web Lock that tells others when its holder is gone. */
export interface LifeLock {
  readonly lock: string;
  /** Releases it earlier. */
  readonly release: () => void;
}

/**
 * Holds a lock until this page or worker ends: those who wait for the lock notice every kind of end. No event would tell them. Returns
 * nothing where there are no locks, or where they are refused.
 */
export function holdLifeLock(): Promise<LifeLock | undefined> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks) return Promise.resolve(undefined);
  const lock = `wavepoint-worker-${crypto.randomUUID()}`;
  return new Promise((resolve) => {
    const held = locks.request(lock, () => new Promise<void>((release) => resolve({ lock, release })));
    // Scopes without an origin of their own are refused.
    held.catch(() => resolve(undefined));
  });
}
