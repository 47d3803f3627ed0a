import { addressOf, callAddress, callerIn, readUnitName, type RunReading, type Unit, unitState } from "../machine/machine.ts";

/** What the ids are made from of the run that a unit called last, and of those before it whose questions count: a block that repeats calls one each time. */
export function askingAddresses(reading: RunReading, unit: Unit): ReadonlySet<string> {
  const pauses = unitState(reading.state, unit).progress.asked.map((number) => reading.state.pauses[number]!);
  const called = pauses.filter(({ entry }) => entry.child !== undefined);
  return new Set([...called.map(({ workflow }) => callAddress(reading, unit, workflow)), addressOf(reading, unit)]);
}

/** A unit by its name in the address of a run that it called. */
export function unitOfAddress({ compiled }: Pick<RunReading, "compiled">, address: string): Unit {
  const { block, ...item } = readUnitName(callerIn(address));
  return { block: compiled.plan.index.get(block) ?? -1, ...item };
}
