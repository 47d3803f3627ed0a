/** Work on runs, that of one run in the order in which it came. */
export interface InOrder {
  /** Does the work once that before it is over, whether it failed or not. */
  add(run: string, work: () => Promise<void>): Promise<void>;
  /** Resolves once all of it is over. */
  settled(): Promise<void>;
}

/** Without this, a later commit to a run could arrive first: over several connections, or when an attempt is repeated. */
export function inOrder(): InOrder {
  /** The last work on each run that is on its way. */
  const underWay = new Map<string, Promise<void>>();
  return {
    async add(run, work) {
      // Whether the one before was done is for its caller.
      const own =
        underWay
          .get(run)
          ?.catch(() => {})
          .then(work) ?? work();
      underWay.set(run, own);
      try {
        await own;
      } finally {
        if (underWay.get(run) === own) underWay.delete(run);
      }
    },
    async settled() {
      await Promise.allSettled(underWay.values());
    },
  };
}
