import { textLine, sealedLines } from "./line.ts";
import { type PackedState, packState, unpackState } from "./packed-state.ts";
import type { Change } from "./group.ts";
import type { RunState } from "./run-state.ts";

/** Stands in the seal where other groups have their revision. */
const BASE = "base";

/** The group a segment with a base begins with: the base and the entries behind it, sealed with all that they add up to. */
export function encodeBase(entries: readonly string[], state: RunState): Buffer {
  return sealedLines(entries.map(textLine), [BASE, ...packState(state, state.head!)]);
}

/** The change that a base makes of an empty state; nothing for the seal of another group. */
export function decodeBase(seal: readonly unknown[]): Change | undefined {
  const [kind, ...packed] = seal as readonly [unknown, ...PackedState];
  return kind === BASE ? unpackState(packed) : undefined;
}
