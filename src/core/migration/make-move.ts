import { errorData, WorkflowError } from "../model/errors.ts";
import type { MovedEntry } from "../model/journal.ts";
import type { DefinitionDifference, MovePlan } from "../model/move-plan.ts";
import { isRecord } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import { type CompiledWorkflow, hashDefinition } from "../definition/definition.ts";
import type { Services } from "../run/run.ts";
import { type FoldedRun, type NewIds, placeBlocks, type RunState, stagesOf, UNTOUCHED } from "../machine/machine.ts";
import { findInputObstacles } from "./compare-definitions.ts";
import { readyWorkflow, touchesOf } from "../runner/runner.ts";
import { describeMove } from "./plan-move.ts";

/** Obstacles that a message tells. */
const MAX_TOLD = 20;

/**
 * The entry with which a run in this state goes on with another definition, or nothing where that is the one it has. The definition is
 * stored and the run knows it: the entry can be recorded as it is. Asks the `migrate` hook where the run cannot go on otherwise. Throws
 * `DEFINITION_MISMATCH` and what checking a workflow throws; then nothing was stored.
 */
export async function makeMove(services: Services, run: FoldedRun, workflow: Workflow): Promise<Omit<MovedEntry, "at"> | undefined> {
  const definition = await hashDefinition(services.host, workflow);
  if (definition === run.state.definition) return undefined;
  const target = await readyWorkflow(workflow, services.reducers);
  const blocks = await findNewIds(services, run, target);
  const definitionThere = await services.prepare(workflow);
  const added = run.state.added?.flatMap(({ block, isGone }) => (isGone ? [] : [block])) ?? [];
  const touches = touchesOf(services.types, { ...workflow, blocks: [...workflow.blocks, ...added] });
  const entry = { type: "moved" as const, definition: definitionThere, ...(blocks && { blocks }), ...(touches && { touches }) };
  run.know(entry.definition, await services.definition(entry.definition));
  return entry;
}

/** New ids of blocks where some are needed. Throws `DEFINITION_MISMATCH` where the run cannot go on with them either. */
async function findNewIds(services: Services, folded: FoldedRun, target: CompiledWorkflow): Promise<NewIds | undefined> {
  const { compiled, state } = folded;
  const unfit = findInputObstacles(state, target);
  const obstacles = [...placeBlocks(folded, target).obstacles, ...unfit];
  if (obstacles.length === 0) return undefined;
  const plan = await describeMove(services, folded, target);
  const { id: run, started } = state;
  const { workflow: to } = target;
  let answer: unknown;
  try {
    answer = await services.migrate?.({ run, workflow: started.workflow, from: (compiled.base ?? compiled).workflow, to, plan });
  } catch (error) {
    throw refuse(state, plan, `The migrate hook failed: ${errorData(error, "BLOCK_FAILED").message}`, error);
  }
  if (answer === undefined) throw mismatch(state, plan, obstacles);
  const newIds = readMigration(folded, plan, answer);
  const left = [...placeBlocks(folded, target, newIds).obstacles, ...unfit];
  if (left.length > 0) throw mismatch(state, plan, left);
  return Object.keys(newIds).length > 0 ? newIds : undefined;
}

/** What a `migrate` hook said of the blocks that have begun. */
function readMigration({ compiled, state }: FoldedRun, plan: MovePlan, answer: unknown): NewIds {
  const blocks = isRecord(answer) ? answer["blocks"] : undefined;
  const isValid = isRecord(blocks) && Object.values(blocks).every((newId) => newId === null || typeof newId === "string");
  if (!isValid) {
    throw refuse(
      state,
      plan,
      "The migrate hook gives { blocks: { … } } with a new id, or null, for each block that needs one, or undefined.",
    );
  }
  const { index } = compiled.plan;
  const unknown = Object.keys(blocks).find((id) => index.get(id) === undefined);
  if (unknown !== undefined) throw refuse(state, plan, `The migrate hook names block "${unknown}", which the run does not have.`);
  const stages = stagesOf({ compiled, state });
  const begun = Object.entries(blocks as NewIds).filter(([id, newId]) => newId !== id && stages[index.get(id)!] !== UNTOUCHED);
  return Object.fromEntries(begun);
}

function mismatch(state: RunState, plan: MovePlan, obstacles: readonly DefinitionDifference[]): WorkflowError {
  const told = obstacles.slice(0, MAX_TOLD).map(({ message }) => message);
  const more = obstacles.length > MAX_TOLD ? [`${obstacles.length - MAX_TOLD} more of this kind.`] : [];
  return refuse(state, plan, [...told, ...more].join(" "));
}

function refuse({ id }: RunState, { from, to, differences, forkFrom }: MovePlan, why: string, cause?: unknown): WorkflowError {
  const way = forkFrom?.checkpoint
    ? ` Or fork from ${forkFrom.checkpoint}, before the first of them that changed.`
    : " Or leave it with the definition that it has.";
  return new WorkflowError(
    "DEFINITION_MISMATCH",
    `Run ${id} cannot go on with the definition that is loaded now, and was left as it is. ${why} Give the executor a migrate hook that says what becomes of these blocks.${way}`,
    {
      details: {
        run: id,
        from,
        to,
        differences: differences.map(({ message }) => message),
        ...(forkFrom?.checkpoint ? { forkFrom: forkFrom.checkpoint } : {}),
      },
      cause,
    },
  );
}
