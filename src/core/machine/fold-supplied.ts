import type { ReenteredEntry, SuppliedEntry } from "../model/journal.ts";
import { valuesOf } from "../model/value.ts";
import { COMPLETED, PENDING, SKIPPED_BLOCK } from "./block-status.ts";
import { channelCode } from "./channel-scope.ts";
import { corrupt, type Folding, unitOf } from "./folding.ts";
import { codeOf, write } from "./state.ts";

/** A fork begins at a block: these were opened, and are supplied next or run. Nothing that was recorded of them holds again. */
export function beginAt(folding: Folding, units: NonNullable<ReenteredEntry["units"]>, channels: ReenteredEntry["channels"]): void {
  const due = new Set(units.map((one) => unitOf(folding, one).block));
  for (const unit of folding.state.units.values()) if (due.has(unit.block)) unit.candidate = undefined;
  if (channels) channelCode(folding)?.supplyChannels(folding, channels);
}

/** What a block gives was said from outside. Throws `RUN_CORRUPT` for one that is not due. */
export function foldSupplied(folding: Folding, { outputs, at, ...of }: SuppliedEntry): void {
  const { state, compiled } = folding;
  const unit = unitOf(folding, of);
  const wave = compiled.plan.waveOf[unit.block]!;
  if (codeOf(state, unit) !== PENDING) throw corrupt(state, "a record that is out of its turn");
  if (outputs === undefined) write(state, unit, SKIPPED_BLOCK, { at, ms: 0, skipped: { kind: "passed-over" } });
  else write(state, unit, COMPLETED, { at, ms: 0, outputs: valuesOf(outputs), attempts: 0 });
  state.unsettled[wave] = state.unsettled[wave]! - 1;
}
