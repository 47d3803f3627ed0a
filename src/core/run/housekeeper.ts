import { errorData } from "../model/errors.ts";
import type { CleanupReport } from "../model/maintenance.ts";
import type { AbortControllerLike } from "../ports/host.ts";
import { sleepUntilAborted } from "../runner/runner.ts";
import type { RoomServices } from "./rooms.ts";

/**
 * Cleans a store by its policy while an executor is open: on first use, and then every `cleanupIntervalMs`. Checkpoints beyond `maxPerWorkflow` are removed
 * as soon as a run of the workflow comes to rest. No call waits for any of it; events report the outcome. The room that cleans is loaded only if the
 * policy needs it.
 */
export class Housekeeper {
  readonly #services: RoomServices;
  #timer: AbortControllerLike | undefined;
  /** The work under way, one piece after another. */
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(services: RoomServices) {
    this.#services = services;
  }

  /** Called whenever the executor is used: the first time it cleans, and sets the timer. */
  begin(): void {
    const { policy, host } = this.#services;
    if (this.#timer || this.#closed || !policy.autoCleanup || !(policy.ttlMs ?? policy.maxPerWorkflow)) return;
    this.#timer = host.newAbortController();
    void this.#repeat(this.#timer);
  }

  async #repeat({ signal }: AbortControllerLike): Promise<void> {
    const { policy, host } = this.#services;
    while (!signal.aborted) {
      this.#do(() => this.#cleanUp());
      await this.#work;
      await sleepUntilAborted(host, policy.cleanupIntervalMs, signal, { idle: true });
    }
  }

  /** Called when a run has come to rest: removes the checkpoints that its workflow has too many of. */
  trim(workflow: string): void {
    const { autoCleanup, maxPerWorkflow } = this.#services.policy;
    if (!autoCleanup || maxPerWorkflow === undefined || this.#closed) return;
    this.#do(async () => {
      const { trimCheckpoints } = await this.#services.rooms.maintenance();
      const checkpoints = await trimCheckpoints(this.#services, maxPerWorkflow, workflow);
      return checkpoints === 0 ? undefined : { ...NOTHING, checkpoints, done: true };
    });
  }

  async #cleanUp(): Promise<CleanupReport> {
    return (await this.#services.rooms.maintenance()).cleanUp(this.#services, {});
  }

  #do(work: () => Promise<CleanupReport | undefined>): void {
    this.#work = this.#after(this.#work, work);
  }

  async #after(before: Promise<void>, work: () => Promise<CleanupReport | undefined>): Promise<void> {
    await before;
    if (this.#closed) return;
    const { onEvent } = this.#services;
    try {
      const report = await work();
      if (report) onEvent?.({ type: "cleaned", report });
    } catch (error) {
      // Runs continue even if old ones could not be removed; the next cleanup tries again.
      onEvent?.({ type: "cleaned", report: NOTHING, error: errorData(error, "STORE_FAILED") });
    }
  }

  /** Removes from a full store what the policy does not keep. A full store may refuse even that; the next write shows whether there is room. */
  async makeRoom(): Promise<void> {
    const report = await this.#cleanUp().catch(() => undefined);
    if (report) this.#services.onEvent?.({ type: "cleaned", report });
  }

  /** Ends the timer, and waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.abort();
    await this.#work;
  }
}

const NOTHING: CleanupReport = { runs: 0, checkpoints: 0, blobs: 0, done: false };
