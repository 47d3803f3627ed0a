import { WorkflowError } from "../model/errors.ts";
import type { Value } from "../model/value.ts";
import { missingGrant } from "../definition/definition.ts";
import type { ReadyType } from "./ready-type.ts";
import type { Step } from "./step.ts";

/**
 * The type of a step's block. Throws what keeps this executor from executing it, in a run that was begun where nothing was missing:
 * `CAPABILITY_MISSING` for a grant; `BLOCK_TYPE_MISSING`, which no step records, for a type: an answer that was given stays, for the executor that
 * has the type.
 */
export function grantedType(step: Step): ReadyType {
  const { block, around } = step;
  const type = knownType(step);
  const ungranted = type.needs?.find((capability) => !around.grants[capability]);
  if (ungranted) throw missingGrant(block, type, ungranted);
  return type;
}

/** The same where the block is not executed. Throws `BLOCK_TYPE_MISSING`. */
export function knownType({ block, definition, around }: Step): ReadyType {
  const name = definition.type;
  const type = around.types.get(name);
  if (type) return type;
  throw new WorkflowError(
    "BLOCK_TYPE_MISSING",
    `Block "${block}" has the type "${name}", which this executor does not have. Give it to createExecutor in \`blocks\` and resume the run, which was left as it is.`,
    { details: { block, type: name } },
  );
}

/** The inputs of a step, resolved; with a promise where it has to get secrets again that it lacks. That rejects with `SECRET_MISSING`. */
export function resolveInputs(step: Step): Value | Promise<Value> {
  const inputs = step.around.session.compiled.block(step.unit.block).inputs(step.scope);
  return step.lacksSecrets ? step.around.regain(step).then(() => resolveInputs(step)) : inputs;
}
