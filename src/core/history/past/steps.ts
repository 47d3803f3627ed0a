import type { Entry, NamedUnit } from "../../model/journal.ts";
import { pauseId } from "../../model/ids.ts";
import type { Step, StepStatus } from "../../model/run.ts";
import { type JournalParts, readPast } from "../../journal/journal.ts";
import {
  begunAt,
  callAddress,
  callersOf,
  codeOf,
  type FoldedRun,
  isOfExecution,
  iterationOfCall,
  OPENED,
  PENDING,
  recordOf,
  type RunReading,
  type RunState,
  STATUS_NAMES,
  type StepRecord,
  type Unit,
  unitKey,
  unitName,
  unitState,
} from "../../machine/machine.ts";
import type { Services } from "../../run/run.ts";

/** A step whose place in the list is not known yet. */
type Recorded = Omit<Step, "index">;

/**
 * The records of all executions of blocks and items, and of what was skipped, by time; those of the same instant in the order of the plan,
 * the items of a block before it.
 */
export async function runSteps(services: Services, run: FoldedRun): Promise<readonly Step[]> {
  const places = await findPlaces(services, run);
  const called = new Map<unknown, Called>();
  for (const unit of callersOf(run.state)) called.set(unitKey(unit), await findCalled(services, run, unit));
  const steps: Recorded[] = [];
  for (const wave of run.compiled.plan.waves) {
    for (const block of wave) {
      const before = steps.length;
      run.state.items.get(block)?.keys.forEach((_, item) => addSteps(steps, { run, unit: { block, item }, places, called }));
      // When all items of a block have settled, so has the block: no entry says so.
      const ofItems = steps.slice(before).flatMap(({ superstep }) => superstep ?? []);
      addSteps(steps, { run, unit: { block }, places, called, ...(ofItems.length > 0 ? { last: Math.max(...ofItems) } : {}) });
    }
  }
  // What comes last in the plan is undone first.
  const { compensations, waveOf } = run.compiled.plan;
  const undoing = [...compensations].toSorted(([a], [b]) => waveOf[b]! - waveOf[a]!);
  for (const [, block] of undoing) addSteps(steps, { run, unit: { block }, places, called });
  return steps.toSorted((a, b) => a.at - b.at).map((step, index) => ({ index, ...step }));
}

/** How many steps {@link runSteps} gives. */
export function countSteps({ compiled, state }: RunReading): number {
  let count = 0;
  for (const block of compiled.plan.ids.keys()) {
    const items = state.items.get(block)?.keys.map((_, item) => ({ block, item })) ?? [];
    for (const unit of [...items, { block }]) count += recordsOf({ compiled, state }, unit).length;
  }
  return count;
}

/** The runs that a unit called, by the execution that called them, from 1. */
type Called = ReadonlyMap<number, string>;

/** A revision may have let an execution call another one: the latest is the one that counts. */
async function findCalled(services: Services, run: FoldedRun, unit: Unit): Promise<Called> {
  const called = new Map<number, string>();
  for (const workflow of unitState(run.state, unit).caller?.workflows ?? []) {
    called.set(iterationOfCall(workflow), await services.childId(run.state.id, callAddress(run, unit, workflow || undefined)));
  }
  return called;
}

interface Executions {
  readonly run: FoldedRun;
  readonly unit: Unit;
  readonly places: Places;
  readonly called: ReadonlyMap<unknown, Called>;
  /** The superstep of the last item. */
  readonly last?: number;
}

/** The executions of a unit: those that asked to run again, and the last one once there is a record of it. */
function addSteps(steps: Recorded[], { run, unit, places, called, last }: Executions): void {
  const { compiled, state } = run;
  const { block, item } = unit;
  const id = compiled.plan.ids[block]!;
  const { loop, asked } = unitState(state, unit).progress;
  const past = loop?.past.length ?? 0;
  const ofUnit = called.get(unitKey(unit));
  const records = recordsOf(run, unit);
  let before = 0;
  for (const [i, record] of records.entries()) {
    const status = STATUS_NAMES[codeOf(state, unit)] as StepStatus;
    // Of executions that ended alike in one millisecond the later one is the later entry.
    const place = places.get(placeKey(unitName(id, item), i < past ? "iterated" : status, record.at))?.shift();
    const superstep = place === undefined ? last : superstepAt(state, place);
    const questions = asked.filter((number) => (state.pauses[number]!.again?.count ?? 0) === i);
    const child = ofUnit?.get(i + 1);
    steps.push({
      block: id,
      ...(item === undefined ? {} : { item }),
      ...(past > 0 ? { iteration: i + 1 } : {}),
      status: i < past ? statusOfPast(record) : status,
      ...(superstep === undefined ? {} : { superstep }),
      ...describe(state, record, before),
      ...(questions.length > 0 ? { pauses: questions.map((number) => pauseId(state.id, number)) } : {}),
      ...(child === undefined ? {} : { child }),
    });
    before = record.ms;
  }
}

/** An execution that asked to run again has completed. A block that undoes several executions may have failed at one of them. */
function statusOfPast({ error, skipped }: StepRecord): StepStatus {
  return error ? "failed" : skipped ? "skipped" : "completed";
}

function recordsOf({ state }: RunReading, unit: Unit): readonly StepRecord[] {
  const past = unitState(state, unit).progress.loop?.past ?? [];
  const code = codeOf(state, unit);
  const last = code === PENDING || code === OPENED ? undefined : recordOf(state, unit);
  return last ? [...past, last] : past;
}

function describe({ started }: RunState, record: StepRecord, before: number): Omit<Recorded, "block" | "status"> {
  return {
    startedAt: started.at + begunAt(record),
    at: started.at + record.at,
    tookMs: Math.max(0, record.ms - before),
    ...(record.outputs === undefined ? {} : { outputs: record.outputs }),
    ...(record.error && record.outputs ? { partial: true } : {}),
    ...(record.error ? { error: record.error } : {}),
    ...(record.skipped ? { skipped: record.skipped } : {}),
    ...(record.attempts === undefined ? {} : { attempts: record.attempts }),
    ...(record.cached ? { cached: { ...record.cached } } : {}),
    ...(record.until === undefined ? {} : { until: started.at + record.until }),
    ...(record.events === undefined ? {} : { events: [...record.events] }),
  };
}

/** The places in the journal of the records of units, by {@link placeKey}. */
type Places = ReadonlyMap<string, number[]>;

function placeKey(unit: string, status: string, at: number): string {
  return `${unit} ${status} ${at}`;
}

async function findPlaces(services: JournalParts, { state, base }: FoldedRun): Promise<Places> {
  const places = new Map<string, number[]>();
  const entries = await readPast(services, state.id, base, state.entries);
  for (const [i, entry] of entries.entries()) {
    const status = statusAfter(entry);
    if (status === undefined) continue;
    for (const { block, item } of unitsOf(entry)) {
      const key = placeKey(unitName(block, item), status, entry.at);
      const known = places.get(key);
      if (known) known.push(base + i);
      else places.set(key, [base + i]);
    }
  }
  return places;
}

/** The units whose outcome an entry records. */
function unitsOf(entry: Entry): readonly NamedUnit[] {
  if (entry.type === "compensating" || entry.type === "finished") return entry.stopped ?? [];
  return isOfExecution(entry) || entry.type === "supplied" ? [entry] : [];
}

function statusAfter(entry: Entry): string | undefined {
  const { type } = entry;
  if (type === "supplied") return entry.outputs === undefined ? "skipped" : "completed";
  if (type === "attempted") return "waiting";
  if (type === "compensating" || type === "finished") return "stopped";
  return type === "began" || type === "items" || type === "memoized" ? undefined : type;
}

/** The superstep to which an entry belongs: the first that had not ended before it. */
function superstepAt({ ends }: RunState, place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
