import { WorkflowError } from "../model/errors.ts";
import { refuseUngranted } from "./check/check-grants.ts";
import type { ReadyType } from "./ready-type.ts";
import type { Step } from "./step.ts";

/**
 * Throws what keeps this executor from executing a block, in a run that was begun where nothing was missing: `CAPABILITY_MISSING` for a grant;
 * `BLOCK_TYPE_MISSING`, which no step records, for a type: an answer that was given stays, for the executor that has the type.
 */
export function refuseBlock({ block, around }: Step, name: string, type: ReadyType | undefined): never {
  const ungranted = type?.needs?.find((capability) => !around.grants[capability]);
  if (type && ungranted) refuseUngranted(block, type, ungranted);
  throw new WorkflowError(
    "BLOCK_TYPE_MISSING",
    `Block "${block}" has the type "${name}", which this executor does not have. Give it to createExecutor in \`blocks\` and resume the run, which was left as it is.`,
    { details: { block, type: name } },
  );
}
