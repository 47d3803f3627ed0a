import { WorkflowError } from "../model/errors.ts";
import type { AbortControllerLike, AbortSignalLike, Host } from "../ports/host.ts";

/** The latest instant a date can have. */
export const MAX_INSTANT = 8_640_000_000_000_000;

/**
 * The host with a clock of whole milliseconds from 1970 on, as journals, heads and run files need it. Clocks of browsers give fractions, and clocks of
 * devices without a battery start anywhere. An earlier instant counts as 0. `now` throws `INPUT_INVALID` for what is not a number.
 */
export function withWholeClock(host: Host): Host {
  return {
    now: () => wholeInstant(host.now()),
    sleep: (ms, signal, options) => host.sleep(ms, signal, options),
    random: () => host.random(),
    newId: () => host.newId(),
    newAbortController: () => host.newAbortController(),
    newTextEncoder: () => host.newTextEncoder(),
    hash: (content) => host.hash(content),
    ...(host.newDeflate ? { newDeflate: (way) => host.newDeflate!(way) } : {}),
    maxParallel: host.maxParallel,
  };
}

function wholeInstant(instant: number): number {
  if (typeof instant === "number" && instant <= MAX_INSTANT) return Math.max(0, Math.floor(instant));
  throw new WorkflowError(
    "INPUT_INVALID",
    `The clock of the host gives ${String(instant)}. Let \`now\` give milliseconds since 1970, at most ${MAX_INSTANT}, as Date.now does.`,
  );
}

/** Resolves when the time is up, and when the signal aborts. Rejects only with what a broken host throws. */
export async function sleepUntilAborted(
  host: Host,
  ms: number,
  signal: AbortSignalLike,
  options?: { readonly idle: boolean },
): Promise<void> {
  try {
    await host.sleep(ms, signal, options);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** How often an alarm reads the clock at least: timers are late after a computer slept or a clock was set. */
const MAX_SLEEP_MS = 300_000;

/** Calls a function at an instant, however far ahead. */
export class Alarm {
  readonly #host: Host;
  readonly #ring: () => Promise<void>;
  #at: number | undefined;
  #sleep: AbortControllerLike | undefined;

  /** What `ring` throws is left to those who wait for its work. */
  constructor(host: Host, ring: () => Promise<void>) {
    this.#host = host;
    this.#ring = ring;
  }

  /** Sets the alarm to an instant (milliseconds since the epoch), or off. */
  set(at: number | undefined): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#sleep?.abort();
    this.#sleep = at === undefined ? undefined : this.#host.newAbortController();
    if (this.#sleep) void this.#wait(at!, this.#sleep).catch(() => {});
  }

  async #wait(at: number, { signal }: AbortControllerLike): Promise<void> {
    for (let left = at - this.#host.now(); left > 0; left = at - this.#host.now()) {
      await sleepUntilAborted(this.#host, Math.min(left, MAX_SLEEP_MS), signal);
      if (signal.aborted) return;
    }
    this.#at = undefined;
    await this.#ring();
  }
}
