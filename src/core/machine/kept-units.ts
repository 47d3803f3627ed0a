import { PENDING } from "./block-status.ts";
import { someAncestor } from "./dependencies.ts";
import { inputsGiven } from "./given-inputs.ts";
import { inputsOfGiven } from "./memos.ts";
import { addedPart } from "./added-part.ts";
import { onReviseOf } from "../model/workflow.ts";
import type { RunReading } from "./state.ts";
import { areFree } from "./signals.ts";
import { type Candidate, unitState } from "./unit-state.ts";
import type { Unit } from "./unit.ts";

/** The units of a wave whose candidates hold again: a revision opened them, and they get the same inputs as last. */
export function keptUnits(run: RunReading, pending: readonly number[]): readonly Unit[] {
  const { compiled, state } = run;
  const units: Unit[] = [];
  for (const block of pending) {
    const items = state.items.get(block);
    if (!items && compiled.workflow.blocks[block]!.forEach === undefined && isKept(run, { block })) units.push({ block });
    items?.codes.forEach((code, item) => {
      if (code === PENDING && isKept(run, { block, item })) units.push({ block, item });
    });
  }
  return units;
}

function isKept(run: RunReading, unit: Unit): boolean {
  const { candidate } = unitState(run.state, unit);
  if (candidate?.given === undefined || wantsToAsk(run, unit, candidate) || !areFree(run.state, candidate.progress)) return false;
  if (inputsGiven(run, unit) !== inputsOfGiven(candidate.given)) return false;
  const { added } = candidate.progress;
  return added === undefined || addedPart.code().fitsIn(run, unit, added);
}

/** Whether a block with `on_revise` asks again: something that it depends on has changed since its question was answered. */
function wantsToAsk({ compiled, state }: RunReading, { block }: Unit, { progress }: Candidate): boolean {
  if (onReviseOf(compiled.workflow.blocks[block]!) === "keep") return false;
  const answers = progress.asked.flatMap((number) => state.pauses[number]!.answer ?? []);
  return answers.length > 0 && hasChangedBefore({ compiled, state }, block, Math.min(...answers.map(({ place }) => place)));
}

/** Whether the outcome of something that a block depends on, directly or not, changed after a place in the journal. */
export function hasChangedBefore({ compiled, state }: RunReading, block: number, place: number): boolean {
  return someAncestor(compiled, block, (ancestor) => (unitState(state, { block: ancestor }).changedAt ?? -1) > place);
}
