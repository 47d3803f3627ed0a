import { addedPart } from "./added-part.ts";
import type { DefinitionDifference } from "../model/move-plan.ts";
import type { Block } from "../model/workflow.ts";
import { OPENED, SETTLED, UNTOUCHED } from "./block-status.ts";
import { stagesOf } from "./dependencies.ts";
import type { AddedBlock, CompiledWorkflow } from "../definition/definition.ts";
import { sameValue } from "../model/fingerprint.ts";
import type { RunReading, RunState } from "./state.ts";
import { callersOf } from "./unit-state.ts";

/** New ids of blocks, by their old ones; `null` to drop the records of a block. */
export type NewIds = { readonly [id: string]: string | null };

/** Where the blocks of a run stand in another definition. */
export interface Placement {
  /** That definition, with what was added in the run. */
  readonly target: CompiledWorkflow;
  /** What was added and goes along; nothing where nothing does. */
  readonly added: readonly AddedBlock[] | undefined;
  /** By the number a block has now: the one it has there, or -1. */
  readonly to: Int32Array;
  /** By the number a block has there: how far it is. */
  readonly stages: Uint8Array;
  /** Why the run cannot continue there. */
  readonly obstacles: readonly DefinitionDifference[];
}

/**
 * Finds the blocks of a run in another definition. Blocks that have begun must be there with the same type, and what they depend on there must have
 * settled, so that the state of the run stays closed under dependencies.
 */
export function placeBlocks(run: RunReading, plain: CompiledWorkflow, newIds: NewIds = {}): Placement {
  const { compiled, state } = run;
  const { target, added, refusal } = state.added
    ? addedPart.code().carryAdded(run, plain, newIds)
    : { target: plain, added: undefined, refusal: undefined };
  const { ids } = compiled.plan;
  const { index } = target.plan;
  const stage = stagesOf(run);
  const called = new Set(callersOf(state).map(({ block }) => block));
  const to = new Int32Array(ids.length).fill(-1);
  const from = new Int32Array(target.plan.ids.length).fill(-1);
  const stages = new Uint8Array(from.length);
  const obstacles: DefinitionDifference[] = refusal ? [{ ...refusal, kind: "changed", finished: false }] : [];
  for (let block = 0; block < ids.length; block++) {
    const id = ids[block]!;
    const newId = Object.hasOwn(newIds, id) ? newIds[id]! : id;
    if (stage[block] === UNTOUCHED || newId === null) continue;
    const there = index.get(newId) ?? -1;
    const obstacle =
      findObstacle(state, { block, now: compiled.workflow.blocks[block]!, target, newId, there, isSettled: stage[block] === SETTLED }) ??
      (newId !== id && called.has(block)
        ? idOfCalledRun(id)
        : there >= 0 && from[there] !== -1
          ? takenId(ids[from[there]!]!, newId)
          : undefined);
    if (obstacle) {
      obstacles.push({ block: id, finished: true, ...obstacle });
      continue;
    }
    to[block] = there;
    from[there] = block;
    stages[there] = stage[block]!;
  }
  for (let block = 0; block < ids.length; block++) {
    const there = stage[block] === UNTOUCHED ? (index.get(ids[block]!) ?? -1) : -1;
    if (there >= 0 && from[there] === -1) to[block] = there;
  }
  const nameOf = (there: number): string => ids[from[there]!]!;
  return { target, added, to, stages, obstacles: obstacles.length > 0 ? obstacles : findOpenDependencies(target, stages, nameOf) };
}

interface Place {
  readonly block: number;
  /** As it is written now. */
  readonly now: Block;
  readonly target: CompiledWorkflow;
  readonly newId: string;
  readonly there: number;
  readonly isSettled: boolean;
}

type Obstacle = Pick<DefinitionDifference, "kind" | "message">;

/** Why a block that has begun cannot continue at its place in another definition. */
function findObstacle(state: RunState, { block, now, target, newId, there, isSettled }: Place): Obstacle | undefined {
  if (there < 0) return { kind: "removed", message: `Block "${now.id}" has begun, and there is no block "${newId}".` };
  const then = target.workflow.blocks[there]!;
  if (then.type !== now.type) {
    return { kind: "type", message: `Block "${now.id}" has begun as ${now.type}, and "${newId}" has the type ${then.type}.` };
  }
  const isFitting =
    isSettled ||
    (state.blocks[block] === OPENED ? sameValue(now.forEach, then.forEach) : (now.forEach === undefined) === (then.forEach === undefined));
  return isFitting ? undefined : { kind: "changed", message: `Block "${now.id}" is under way, and its for_each is another.` };
}

function idOfCalledRun(id: string): Obstacle {
  return { kind: "removed", message: `Block "${id}" called a workflow; the called run is known by this id, so the block keeps it.` };
}

function takenId(id: string, newId: string): Obstacle {
  return { kind: "removed", message: `Only one block can go on as "${newId}", and "${id}" does.` };
}

/** Blocks that have begun and depend on one that has not settled. */
function findOpenDependencies(
  { plan }: CompiledWorkflow,
  stages: Uint8Array,
  nameOf: (block: number) => string,
): readonly DefinitionDifference[] {
  const { ids, dependencyStart, dependencies } = plan;
  const obstacles: DefinitionDifference[] = [];
  stages.forEach((stage, block) => {
    if (stage === UNTOUCHED) return;
    for (const dependency of dependencies.subarray(dependencyStart[block]!, dependencyStart[block + 1]!)) {
      if (stages[dependency] === SETTLED) continue;
      const message = `Block "${nameOf(block)}" has begun, and depends on "${ids[dependency]!}", which would have no finished step.`;
      obstacles.push({ block: nameOf(block), kind: "changed", finished: true, message });
    }
  });
  return obstacles;
}
