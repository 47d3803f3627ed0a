import type { LiveRun } from "./live-run.ts";

/** The runs of an executor in memory, at most one object each. A run that nothing holds or executes is forgotten, and read again when needed. */
export class LiveRuns {
  readonly #references = new Map<string, WeakRef<LiveRun>>();
  readonly #loading = new Map<string, Promise<LiveRun | undefined>>();
  /** Drops the entries of runs that were garbage collected. */
  readonly #collected = new FinalizationRegistry<string>((id) => {
    if (!this.get(id)) this.#references.delete(id);
  });

  readonly #held: Set<LiveRun> | undefined;

  /** Runs in the set `held`, if there is one, are never forgotten. */
  constructor(held?: Set<LiveRun>) {
    this.#held = held;
  }

  get(id: string): LiveRun | undefined {
    return this.#references.get(id)?.deref();
  }

  keep(run: LiveRun): LiveRun {
    this.#held?.add(run);
    this.#references.set(run.id, new WeakRef(run));
    this.#collected.register(run, run.id);
    return run;
  }

  /** The run in memory; else loads it, once for all callers that ask meanwhile. */
  async find(id: string, load: () => Promise<LiveRun | undefined>): Promise<LiveRun | undefined> {
    const live = this.get(id);
    if (live) return live;
    let loading = this.#loading.get(id);
    if (!loading) this.#loading.set(id, (loading = this.#load(id, load)));
    return loading;
  }

  async #load(id: string, load: () => Promise<LiveRun | undefined>): Promise<LiveRun | undefined> {
    try {
      const run = await load();
      return run && this.keep(run);
    } finally {
      this.#loading.delete(id);
    }
  }

  delete(id: string): void {
    this.#references.delete(id);
  }

  values(): readonly LiveRun[] {
    return [...this.#references.values()].flatMap((reference) => reference.deref() ?? []);
  }
}
