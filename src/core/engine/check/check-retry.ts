import type { Workflow } from "../../model/workflow.ts";
import type { ProblemList } from "./problem-list.ts";

/** The longest delay of a policy that names none; `RetryPolicy.maxDelayMs`. */
const DEFAULT_MAX_DELAY_MS = 60_000;

/** Reports delays between attempts that are longer than the longest one. */
export function checkRetry({ blocks }: Workflow, problems: ProblemList): void {
  for (const [i, { id, retry }] of blocks.entries()) {
    const { delayMs = 0, maxDelayMs } = retry ?? {};
    if (delayMs <= (maxDelayMs ?? DEFAULT_MAX_DELAY_MS)) continue;
    const bound = maxDelayMs === undefined ? `${DEFAULT_MAX_DELAY_MS}, the longest delay unless another is given` : String(maxDelayMs);
    const message = `The first delay of block "${id}" is ${delayMs} ms, more than ${bound}. Give a longer longest delay, or a shorter first one.`;
    problems.error("SCHEMA_INVALID", `blocks[${i}].retry.delayMs`, message);
  }
}
