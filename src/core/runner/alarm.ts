import type { AbortControllerLike, Host } from "../ports/host.ts";

/** Clocks are looked at again at least so often: a computer that slept, or a clock that was set, makes timers late. */
const MAX_SLEEP_MS = 300_000;

/** Does something at an instant, however far it is. */
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
      await this.#host.sleep(Math.min(left, MAX_SLEEP_MS), signal).catch(() => {});
      if (signal.aborted) return;
    }
    this.#at = undefined;
    await this.#ring();
  }
}
