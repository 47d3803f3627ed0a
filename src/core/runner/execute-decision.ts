import type { Execution } from "../machine/machine.ts";
import { runUnit } from "./run-block.ts";
import { runItems } from "./run-items.ts";
import type { BlockSurroundings } from "./step.ts";

/**
 * Executes what was decided, in no more than the free slots. Quick blocks are done when it returns; a promise is given only where some take
 * time. It resolves when all are done, or when what it hands to `onStop` is called. Rejects only with what broken infrastructure throws.
 */
export function executeDecision(
  around: BlockSurroundings,
  decision: Execution,
  onStop: (stop: () => void) => void,
): Promise<void> | undefined {
  const wave = new Wave(around, decision);
  wave.launch();
  if (wave.isDone) return undefined;
  return new Promise((resolve, reject) => {
    wave.onEnd(resolve, reject);
    // A block that ignores its signal does not hold up the run: a stopped run still comes to its end.
    onStop(resolve);
  });
}

/** What runs at the same time. */
class Wave {
  readonly #around: BlockSurroundings;
  readonly #decision: Execution;
  readonly #total: number;
  /** The revisions that there were when it was decided. */
  readonly #revisions: number;
  #next = 0;
  #slow = 0;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(around: BlockSurroundings, decision: Execution) {
    this.#around = around;
    this.#decision = decision;
    this.#total = decision.blocks.length + decision.due.length + decision.pauses.length;
    this.#revisions = around.session.state.revisions;
  }

  get isDone(): boolean {
    return this.#slow === 0;
  }

  onEnd(resolve: () => void, reject: (error: unknown) => void): void {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  launch(): void {
    const { slots } = this.#around;
    while (slots.free > 0 && this.#goesOn()) {
      slots.free--;
      const job = this.#start(this.#next++);
      if (!job) slots.free++;
      else {
        this.#slow++;
        job.then(
          () => this.#goOn(),
          (error: unknown) => this.#reject(error),
        );
      }
    }
  }

  /** Nothing new is begun that could not be recorded, or that was decided before an answer was changed. */
  #goesOn(): boolean {
    const { session, signal } = this.#around;
    const { finished, revisions } = session.state;
    return this.#next < this.#total && !finished && !session.broken && !signal.aborted && revisions === this.#revisions;
  }

  #start(job: number): Promise<void> | undefined {
    const { blocks, due, pauses, items } = this.#decision;
    const { session } = this.#around;
    if (job < blocks.length) {
      const block = blocks[job]!;
      const isList = session.compiled.workflow.blocks[block]!.forEach !== undefined;
      return isList ? runItems(this.#around, block, items) : runUnit(this.#around, { block });
    }
    const sleeper = due[job - blocks.length];
    if (sleeper) return runUnit(this.#around, sleeper, sleeper.pause);
    const pause = pauses[job - blocks.length - due.length]!;
    return runUnit(this.#around, session.state.pauses[pause]!, pause);
  }

  #goOn(): void {
    this.#slow--;
    this.#around.slots.free++;
    try {
      this.launch();
    } catch (error) {
      return this.#reject(error);
    }
    if (this.#slow === 0) this.#resolve();
  }
}
