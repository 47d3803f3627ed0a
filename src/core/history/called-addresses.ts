import {
  addressOf,
  askedInCalls,
  callAddress,
  callerIn,
  readUnitName,
  type RunReading,
  standingCalls,
  type Unit,
} from "../machine/machine.ts";

/** What the ids are made from of the run that a unit called last, and of those before it whose questions count: a block that repeats calls one each time. */
export function askingAddresses(reading: RunReading, unit: Unit): ReadonlySet<string> {
  const { state } = reading;
  const last = addressOf(reading, unit);
  const calls = standingCalls(state, unit);
  if (calls.length === 1) return new Set([last]);
  const asked = new Set(askedInCalls(state, unit).map(({ workflow }) => workflow));
  return new Set([...calls.filter((call) => asked.has(call)).map((call) => callAddress(reading, unit, call)), last]);
}

/** A unit by its name in the address of a run that it called. */
export function unitOfAddress({ compiled }: Pick<RunReading, "compiled">, address: string): Unit {
  const { block, ...item } = readUnitName(callerIn(address));
  return { block: compiled.plan.index.get(block) ?? -1, ...item };
}
