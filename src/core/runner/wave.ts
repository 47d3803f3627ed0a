import { groupBy } from "../model/group-by.ts";
import type { Execution } from "../machine/machine.ts";
import { executeUnit } from "./execute-unit.ts";
import { itemJobs } from "./items.ts";
import type { Job, Workplace } from "./step-context.ts";

/** Executes what was decided, no more at the same time than the executor allows. */
export class Wave {
  readonly #place: Workplace;
  readonly #lanes: readonly Lane[];
  readonly #revisions: number;
  #free: number;
  #slow = 0;
  #end: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  constructor(place: Workplace, decision: Execution) {
    this.#place = place;
    this.#lanes = findLanes(place, decision);
    this.#revisions = place.session.state.revisions;
    this.#free = place.services.maxParallel;
  }

  /** Resolves when all is done, or when the run is stopped. Rejects only with what broken infrastructure throws. */
  settled(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
      // A block that ignores its signal does not hold up the run: a stopped run still comes to its end.
      this.#place.endWave = resolve;
    });
  }

  /** Begins as many blocks and items as may run at the same time. Gives whether some still execute: quick ones are done when it returns. */
  launch(): boolean {
    for (const lane of this.#lanes) {
      while (lane.free > 0 && this.#free > 0 && this.#mayBegin) {
        const job = lane.jobs.next().value;
        if (!job) break;
        const work = executeUnit(this.#place, job);
        if (work) this.#follow(lane, work);
      }
    }
    return this.#slow > 0;
  }

  /** Whether new work may begin: not if it could not be recorded, or was decided before an answer changed. */
  get #mayBegin(): boolean {
    const { session, signal } = this.#place;
    const { state } = session;
    return !state.finished && !session.broken && !signal.aborted && state.revisions === this.#revisions;
  }

  #follow(lane: Lane, work: Promise<void>): void {
    this.#slow++;
    this.#free--;
    lane.free--;
    work.then(
      () => this.#goOn(lane),
      (error: unknown) => this.#fail?.(error),
    );
  }

  #goOn(lane: Lane): void {
    this.#slow--;
    this.#free++;
    lane.free++;
    try {
      this.launch();
    } catch (error) {
      this.#fail?.(error);
      return;
    }
    if (this.#slow === 0) this.#end?.();
  }
}

/** Jobs that begin one after another: the blocks of the wave with the same priority, or the items of one. */
interface Lane {
  readonly jobs: Iterator<Job, void>;
  /** How many more of them may begin. */
  free: number;
}

/**
 * Blocks with a higher priority come first. With the same priority, items come after blocks, so that a run that was cut off among them continues in the
 * same order.
 */
function findLanes(place: Workplace, { blocks, due, pauses }: Execution): readonly Lane[] {
  const { state, compiled } = place.session;
  const definitions = compiled.workflow.blocks;
  const priorityOf = ({ block }: Job): number => definitions[block]!.priority ?? 0;
  const isOne = (block: number): boolean => definitions[block]!.forEach === undefined;
  const isPlain = blocks.every((block) => isOne(block) && definitions[block]!.priority === undefined);
  const units = (isPlain ? blocks : blocks.filter(isOne)).map((block): Job => ({ block }));
  if (isPlain && due.length + pauses.length === 0) return [{ jobs: units.values(), free: Infinity }];
  const items = new Map(blocks.filter((block) => !isOne(block)).map((block) => [block, []] as [number, Job[]]));
  const asked = pauses.map((pause): Job => ({ block: state.pauses[pause]!.block, item: state.pauses[pause]!.item, pause }));
  for (const job of [...due, ...asked]) {
    if (job.item === undefined) units.push(job);
    else if (!items.get(job.block)?.push(job)) items.set(job.block, [job]);
  }
  const lanes = [...groupBy(units, priorityOf)].map(([priority, jobs]): Lane & { readonly priority: number } => ({
    priority,
    jobs: jobs.values(),
    free: Infinity,
  }));
  for (const [block, waited] of items) {
    const { maxParallel = Infinity } = definitions[block]!;
    lanes.push({ priority: priorityOf({ block }), jobs: itemJobs(place, block, waited), free: maxParallel });
  }
  return lanes.toSorted((a, b) => b.priority - a.priority);
}
