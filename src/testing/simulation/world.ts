import type { AbortSignalLike } from "../../core/ports/host.ts";

/** Time and turns of one simulation: its clock stands still until nothing else can happen. */
export interface World {
  now(): number;
  /** Moves the clock, forth or back, without waking any timer. */
  jump(ms: number): void;
  /** Resolves once this much time has passed; never where its machine is dead by then. */
  sleep(ms: number, options: { readonly signal: AbortSignalLike | undefined; readonly isDead: () => boolean }): Promise<void>;
  /** Counts a call on the store as under way until it has ended: meanwhile no time passes. */
  during<T>(call: () => Promise<T>): Promise<T>;
  /** Lets everything happen until the promise settles, or until the other condition is met: then it gives nothing. */
  until<T>(promise: Promise<T>, isOver: () => boolean): Promise<T | undefined>;
}

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

/** Turns in a row in which nothing was under way, after which time passes. */
const QUIET_TURNS = 2;
/**
 * Sleeps that may end before what is waited for: a run that waits forever looks again and again, one whose code is being loaded as well.
 */
const MOST_WAKES = 2_000;
/** Milliseconds of real time in which nothing happens: what is waited for will never come. */
const PATIENCE_MS = 4_000;
/** Turns without anything, beside: on a machine with much else to do, time alone says little. */
const PATIENT_TURNS = 20_000;

/** A world at the start of 2026. */
export function makeWorld(): World {
  let now = Date.UTC(2026, 0, 1);
  let busy = 0;
  const sleepers = new Set<Sleeper>();

  /** Ends the sleep that falls due first. */
  function wakeNext(): boolean {
    let next: Sleeper | undefined;
    for (const one of sleepers) if (next === undefined || one.dueAt < next.dueAt) next = one;
    if (next === undefined) return false;
    sleepers.delete(next);
    now = Math.max(now, next.dueAt);
    next.wake();
    return true;
  }

  return {
    now: () => now,
    jump(ms) {
      now += ms;
    },
    sleep(ms, { signal, isDead }) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason as Error);
        const sleeper: Sleeper = {
          dueAt: now + ms,
          wake() {
            signal?.removeEventListener("abort", abort);
            if (!isDead()) resolve();
          },
        };
        function abort(): void {
          sleepers.delete(sleeper);
          if (!isDead()) reject(signal?.reason as Error);
        }
        signal?.addEventListener("abort", abort, { once: true });
        sleepers.add(sleeper);
      });
    },
    async during(call) {
      busy += 1;
      try {
        return await call();
      } finally {
        busy -= 1;
      }
    },
    async until(promise, isOver) {
      let settled = false;
      const watched = promise.finally(() => (settled = true));
      watched.catch(() => {});
      let quiet = 0;
      let wakes = 0;
      const begin = performance.now();
      let since = performance.now();
      while (!settled && !isOver()) {
        await turn();
        quiet = busy === 0 ? quiet + 1 : 0;
        if (quiet >= QUIET_TURNS && wakeNext()) {
          quiet = 0;
          wakes += 1;
          if (wakes > MOST_WAKES && performance.now() - begin > PATIENCE_MS)
            throw new Error(`${wakes} sleeps have ended, and what is waited for has not come.`);
        }
        if (quiet === 0) since = performance.now();
        else if (quiet > PATIENT_TURNS && performance.now() - since > PATIENCE_MS)
          throw new Error("Nothing happens any more, and what is waited for has not come.");
      }
      return settled ? watched : undefined;
    },
  };
}

/** Lets all promises that can settle do so, and what the platform has to tell come in. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if ("setImmediate" in globalThis) return setImmediate(resolve);
    // Timers of pages wait four milliseconds.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
