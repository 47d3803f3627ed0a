import {
  addressesOf,
  addressOf,
  callAddress,
  iterationOf,
  readUnitName,
  type RunReading,
  type Unit,
  unitState,
} from "../machine/machine.ts";
import type { RevisedEntry } from "../model/journal.ts";
import type { GoOnOptions, HeldRun } from "./held-run.ts";

/** What finds the runs that call each other. */
interface Finder<Found> {
  find(run: string): Promise<Found | undefined>;
  childId(run: string, block: string): Promise<string>;
}

/** The id of the run that a unit calls. It follows from the caller, so that the run is found again after a crash. */
export function calledId(services: Finder<unknown>, reading: RunReading, unit: Unit): Promise<string> {
  return services.childId(reading.state.id, addressOf(reading, unit));
}

/** The same by the name of the unit. With what tells it from other calls behind a "~", it is that call; with the "~" alone, the first one. */
export function calledIdOf(services: Finder<unknown>, reading: RunReading, name: string): Promise<string> {
  const { block: id, item } = readUnitName(name);
  const block = reading.compiled.plan.index.get(id);
  if (block === undefined) return services.childId(reading.state.id, name.replace(/~$/, ""));
  return calledId(services, reading, { block, ...(item === undefined ? {} : { item }) });
}

/** The run that a unit calls; nothing where it has called none, or it was deleted. */
export async function findCalled<Found>(services: Finder<Found>, reading: RunReading, unit: Unit): Promise<Found | undefined> {
  return services.find(await calledId(services, reading, unit));
}

/** The run of a workflow that a unit calls, as it is found again. */
interface Call<Found> {
  /** Nothing where it has not begun. */
  readonly found: Found | undefined;
  /** The unit that calls, as the id of the called run is made of it. */
  readonly address: string;
  /** What tells it from the first run that the unit called; see the entry. */
  readonly other: string | undefined;
}

/**
 * The run of a workflow that a unit calls; one that repeats calls another one each time. After a revision it may call another workflow; what it called before
 * stays, in case it is called once more. A fork has a copy of what was called last, which may not be the first.
 */
export async function findCall<Found extends { readonly session: RunReading }>(
  services: Finder<Found>,
  reading: RunReading,
  unit: Unit,
  workflow: string,
): Promise<Call<Found>> {
  const { state } = reading;
  const iteration = iterationOf(state, unit);
  const mark = iteration > 1 ? `#${iteration}` : undefined;
  const find = async (other: string | undefined): Promise<Call<Found>> => {
    const address = callAddress(reading, unit, other);
    return { found: await services.find(await services.childId(state.id, address)), address, other };
  };
  const first = await find(mark);
  const known = unitState(state, unit).caller?.workflow;
  const isFirst = first.found ? first.found.session.state.started.workflow === workflow : (mark ?? known ?? "#").startsWith("#");
  return isFirst ? first : find(mark === undefined ? workflow : `${mark}~${workflow}`);
}

/** All runs that a unit called so far and that are there: the one that it calls now, and those that a revision left behind. */
export async function findAllCalled<Found>(services: Finder<Found>, reading: RunReading, unit: Unit): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const address of addressesOf(reading, unit)) {
    const called = await services.find(await services.childId(reading.state.id, address));
    if (called) found.push(called);
  }
  return found;
}

/** The run that called this one. */
export async function findCaller<Found>(services: Finder<Found>, { state }: Pick<RunReading, "state">): Promise<Found | undefined> {
  const { parent } = state.started;
  // A called run is known by its id. A record that names another caller, the run itself for example, could lead in a circle.
  if (!parent || (await services.childId(parent.run, parent.block)) !== state.id) return undefined;
  return services.find(parent.run);
}

/** Lets the run go on that called this one, through all levels. */
export async function informCaller(services: Finder<HeldRun>, { session }: Pick<HeldRun, "session">, options: GoOnOptions): Promise<void> {
  const caller = await findCaller(services, session);
  if (caller && !caller.active) await caller.goOn(options);
}

/**
 * The entry about a question of a run, or of one that it called: where it still counts. Nothing where its answer was taken back, or where it is open
 * already.
 */
export function revisedEntry(
  { state, compiled }: RunReading,
  calls: readonly string[],
  inner: number,
): Pick<RevisedEntry, "type" | "pause" | "as" | "block" | "item" | "call" | "calls" | "inner"> | undefined {
  const [unit, ...below] = calls;
  if (unit !== undefined) {
    const [name, ...marks] = unit.split("~");
    const { block, item } = readUnitName(name!);
    const number = compiled.plan.index.get(block) ?? -1;
    // A block that another one had added may have fallen away.
    if (compiled.plan.waveOf[number]! < 0) return undefined;
    // The list may have no such item now, or its block is yet to open it.
    const items = state.items.get(number);
    if (item !== undefined && (items?.keys.length ?? 0) <= item) return undefined;
    const call = marks.length > 0 ? { call: marks.join("~") } : {};
    return { type: "revised", block, ...(item === undefined ? {} : { item }), ...call, calls: below, inner };
  }
  const asked = state.pauses[inner];
  if (!asked?.answer || asked.withdrawn || asked.entry.about !== undefined || state.finished?.status === "cancelled") return undefined;
  return { type: "revised", pause: inner, as: state.pauses.length };
}
