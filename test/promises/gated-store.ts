import type { Commit, Store } from "wavepoint";

/** One thing that a caller did to the store and that succeeded. */
export interface Done {
  readonly by: string;
  readonly entries: readonly string[];
  readonly run: string;
  readonly deleted?: true;
}

/** What holds one caller up at a chosen moment. */
export interface Gate {
  readonly store: Store;
  /** Resolves when the caller has reached the chosen moment. */
  readonly reached: Promise<void>;
  /** Resolves once the caller can only wait for others: it asked for a claim, or read the same head, again and again. */
  readonly stuck: Promise<void>;
  open(): void;
}

/** Refused claims, and heads read in a row, after which a caller is taken to wait for another one. */
const REFUSALS = 3;
const READS = 40;

/**
 * A store for one of several callers, which stops before or after its `moment`th write (counted from 0 in halves: an even number stops before a
 * write, an odd one after it), until it is opened. Every write that succeeds is listed in `ledger`.
 */
export function gatedStore(inner: Store, by: string, { ledger, moment = -1 }: { ledger: Done[]; moment?: number }): Gate {
  let at = 0;
  let reads = 0;
  let refused = 0;
  let tellReached = (): void => {};
  let tellStuck = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>((resolve) => (tellReached = resolve));
  const stuck = new Promise<void>((resolve) => (tellStuck = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const pass = async (): Promise<void> => {
    reads = refused = 0;
    if (at++ !== moment) return;
    tellReached();
    await opened;
  };
  const write = async (work: () => Promise<void>, done: Done): Promise<void> => {
    await pass();
    await work();
    ledger.push(done);
    await pass();
  };
  const gated: Partial<Store> = {
    commit: (commit: Commit) => write(() => inner.commit(commit), { by, run: commit.run, entries: commit.entries }),
    delete: (run: string) => write(() => inner.delete(run), { by, run, entries: [], deleted: true }),
    async head(run: string) {
      if (++reads >= READS) tellStuck();
      return inner.head(run);
    },
    async claim(run: string, lost?: () => void) {
      const release = await inner.claim(run, lost);
      if (release) refused = 0;
      else if (++refused >= REFUSALS) tellStuck();
      return release;
    },
  };
  const store = new Proxy(inner, {
    get(target, name) {
      const own = gated[name as keyof Store];
      if (own !== undefined) return own;
      const member = Reflect.get(target, name) as unknown;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { store, reached, stuck, open };
}
