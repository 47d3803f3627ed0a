import { WorkflowError } from "../model/errors.ts";
import type { PlatformSignal } from "../ports/host.ts";

/** An execution that can be asked to stop. */
interface Abortable {
  /** Whether a revision opened the unit since it began. */
  readonly isStale: boolean;
  /** Whether it may change something outside of the run. */
  readonly hasEffect: boolean;
  readonly block: string;
  abort(reason: unknown): void;
}

/** The executions under way that look at their signal. All are aborted with the run; by a revision those whose outcome does not count any more. */
export class StepsUnderWay {
  readonly #steps = new Set<Abortable>();

  /** Takes the signal of the run. */
  constructor(signal: PlatformSignal) {
    signal.addEventListener("abort", () => this.#steps.forEach((step) => step.abort(signal.reason)), { once: true });
  }

  add(step: Abortable): void {
    this.#steps.add(step);
  }

  delete(step: Abortable): void {
    this.#steps.delete(step);
  }

  /** What changes nothing outside of the run may stop; what does comes to its end, so that it is known what it did. */
  abortStale(): void {
    for (const step of this.#steps) {
      if (!step.isStale || step.hasEffect) continue;
      step.abort(
        new WorkflowError(
          "ABORTED",
          `An answer before block "${step.block}" was changed, so what it is executing for does not count any more. It is executed again where it is still needed.`,
        ),
      );
    }
  }
}
