import { addressesOf, addressOf, readUnitName, type RunReading, type Unit } from "../machine/machine.ts";
import type { RevisedEntry } from "../model/journal.ts";
import type { HeldRun } from "./held-run.ts";

/** What finds the runs that call each other. */
interface Finder<Found> {
  find(run: string): Promise<Found | undefined>;
  childId(run: string, block: string): Promise<string>;
}

/** The id of the run that a unit calls. It follows from the caller, so that the run is found again after a crash. */
export function calledId(services: Finder<unknown>, reading: RunReading, unit: Unit): Promise<string> {
  return services.childId(reading.state.id, addressOf(reading, unit));
}

/** The same of a unit by its name. */
export function calledIdOf(services: Finder<unknown>, reading: RunReading, name: string): Promise<string> {
  const { block: id, item } = readUnitName(name);
  const block = reading.compiled.plan.index.get(id);
  if (block === undefined) return services.childId(reading.state.id, name);
  return calledId(services, reading, { block, ...(item === undefined ? {} : { item }) });
}

/** The run that a unit calls; nothing where it has called none, or it was deleted. */
export async function findCalled<Found>(services: Finder<Found>, reading: RunReading, unit: Unit): Promise<Found | undefined> {
  return services.find(await calledId(services, reading, unit));
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
export async function informCaller(services: Finder<HeldRun>, { session }: Pick<HeldRun, "session">): Promise<void> {
  const caller = await findCaller(services, session);
  if (caller && !caller.active) await caller.goOn();
}

/**
 * The entry about a question of a run, or of one that it called: where it still counts. Nothing where its answer was taken back, or where it is open
 * already.
 */
export function revisedEntry(
  { state, compiled }: RunReading,
  calls: readonly string[],
  inner: number,
): Pick<RevisedEntry, "type" | "pause" | "as" | "block" | "item" | "calls" | "inner"> | undefined {
  const [unit, ...below] = calls;
  if (unit !== undefined) {
    const { block, item } = readUnitName(unit);
    // The list may have no such item now, or its block is yet to open it.
    const items = state.items.get(compiled.plan.index.get(block) ?? -1);
    if (item !== undefined && (items?.keys.length ?? 0) <= item) return undefined;
    return { type: "revised", block, ...(item === undefined ? {} : { item }), calls: below, inner };
  }
  const asked = state.pauses[inner];
  if (!asked?.answer || asked.withdrawn || asked.entry.about !== undefined || state.finished?.status === "cancelled") return undefined;
  return { type: "revised", pause: inner, as: state.pauses.length };
}
