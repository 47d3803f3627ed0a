import type { Executor } from "../core/run/run.ts";

/** The store is asked so often at most, however many ask, in milliseconds. */
const FRESH_MS = 1_000;
/** A store that takes longer is none to count on, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Where a server says whether it can do its work, below its base path. */
export const HEALTH_PATH = "/health";

/** Whether a server can do its work: its store answers. */
export class Health {
  readonly #executor: Executor;
  #asked: Promise<boolean> | undefined;
  #askedAt = -Infinity;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  isWell(): Promise<boolean> {
    const now = performance.now();
    if (!this.#asked || now - this.#askedAt > FRESH_MS) {
      this.#askedAt = now;
      this.#asked = this.#ask();
    }
    return this.#asked;
  }

  async #ask(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), PATIENCE_MS)));
    const well = (async () => {
      await this.#executor.runs.list({ limit: 1 });
      return true;
    })();
    try {
      return await Promise.race([well, late]);
    } catch {
      // Calls that need the store say why. This answer is public, so it says no more.
      return false;
    } finally {
      clearTimeout(timer);
      well.catch(() => {});
    }
  }
}
