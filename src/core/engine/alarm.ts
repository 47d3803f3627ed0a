import type { AbortControllerLike, Host } from "../ports/host.ts";
import type { LiveRun } from "./live-run.ts";

/** Clocks are looked at again at least so often: a computer that slept, or a clock that was set, makes timers late. */
const MAX_SLEEP_MS = 300_000;

/** Lets a run go on at an instant, however far it is. */
export class Alarm {
  readonly #host: Host;
  readonly #run: LiveRun;
  #at: number | undefined;
  #sleep: AbortControllerLike | undefined;

  constructor(host: Host, run: LiveRun) {
    this.#host = host;
    this.#run = run;
  }

  /** Sets the alarm to an instant (milliseconds since the epoch), or off. */
  set(at: number | undefined): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#sleep?.abort();
    this.#sleep = at === undefined ? undefined : this.#host.newAbortController();
    // What keeps it from going on is told to those who wait for the run.
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

  /** A called run goes on with its caller, as long as that has not ended. */
  async #ring(): Promise<void> {
    const caller = await this.#run.caller();
    await caller?.update();
    if (caller?.session.state.finished) return;
    this.#run.drive();
    await this.#run.idle();
    caller?.drive();
  }
}
