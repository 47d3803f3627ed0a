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

/**
 * The addresses of the runs that a unit called: that of the last one, and of earlier ones whose questions still count. A block that repeats calls one
 * each time. The id of a called run is made from its address.
 */
export function askingAddresses(reading: RunReading, unit: Unit): ReadonlySet<string> {
  const { state } = reading;
  const last = addressOf(reading, unit);
  const calls = standingCalls(state, unit);
  if (calls.length === 1) return new Set([last]);
  const asked = new Set(askedInCalls(state, unit).map(({ workflow }) => workflow));
  return new Set([...calls.filter((call) => asked.has(call)).map((call) => callAddress(reading, unit, call)), last]);
}

/** The unit that the address of a called run names. */
export function unitOfAddress({ compiled }: Pick<RunReading, "compiled">, address: string): Unit {
  const { block, ...item } = readUnitName(callerIn(address));
  return { block: compiled.plan.index.get(block) ?? -1, ...item };
}
