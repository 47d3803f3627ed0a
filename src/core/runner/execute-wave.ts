import type { Execution } from "../machine/machine.ts";
import { executeUnit } from "./execute-unit.ts";
import { itemJobs } from "./items.ts";
import type { Job, Workplace } from "./step-context.ts";

/**
 * Executes what was decided, no more at the same time than the executor allows. Quick blocks are done when it returns; a promise is given only where
 * some take time. It resolves when all are done, or when the run is stopped. Rejects only with what broken infrastructure throws.
 */
export function executeWave(place: Workplace, decision: Execution): Promise<void> | void {
  const { session, signal } = place;
  const { state } = session;
  const { revisions } = state;
  const lanes = findLanes(place, decision);
  let free = place.services.maxParallel;
  let slow = 0;
  let end = (): void => {};
  let fail = (_error: unknown): void => {};
  // Nothing new is begun that could not be recorded, or that was decided before an answer was changed.
  const goesOn = (): boolean => !state.finished && !session.broken && !signal.aborted && state.revisions === revisions;
  const launch = (): void => {
    for (let i = 0; i < lanes.length && free > 0 && goesOn();) {
      const lane = lanes[i]!;
      const next = lane.free > 0 ? lane.jobs.next() : undefined;
      const work = next?.value && executeUnit(place, next.value);
      if (work) {
        slow++;
        free--;
        lane.free--;
        work.then(
          () => goOn(lane),
          (error: unknown) => fail(error),
        );
      } else if (next?.done) lanes.splice(i, 1);
      else if (!next) i++;
    }
  };
  const goOn = (lane: Lane): void => {
    slow--;
    free++;
    lane.free++;
    try {
      launch();
    } catch (error) {
      return fail(error);
    }
    if (slow === 0) end();
  };
  launch();
  if (slow === 0) return undefined;
  return new Promise((resolve, reject) => {
    end = resolve;
    fail = reject;
    // A block that ignores its signal does not hold up the run: a stopped run still comes to its end.
    place.endWave = resolve;
  });
}

/** Jobs that begin one after another: all blocks of the wave, or the items of one. */
interface Lane {
  readonly jobs: Iterator<Job, void>;
  /** How many more of them may run at the same time. */
  free: number;
}

/** Items come after the blocks, so that a run that was cut off among them goes on in the same order. */
function findLanes(place: Workplace, { blocks, due, pauses }: Execution): Lane[] {
  const { state, compiled } = place.session;
  const definitions = compiled.workflow.blocks;
  const units: Job[] = [];
  const items = new Map<number, Job[]>();
  for (const block of blocks) {
    if (definitions[block]!.forEach === undefined) units.push({ block });
    else items.set(block, []);
  }
  const asked = pauses.map((pause): Job => ({ block: state.pauses[pause]!.block, item: state.pauses[pause]!.item, pause }));
  for (const job of [...due, ...asked]) {
    if (job.item === undefined) units.push(job);
    else if (!items.get(job.block)?.push(job)) items.set(job.block, [job]);
  }
  const lanes: Lane[] = [{ jobs: units.values(), free: Infinity }];
  for (const [block, waited] of items) {
    lanes.push({ jobs: itemJobs(place, block, waited), free: definitions[block]!.maxParallel ?? Infinity });
  }
  return lanes;
}
