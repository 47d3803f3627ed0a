import { type RunListQuery, WorkflowError } from "../../index.ts";
import { RUN_STATUSES } from "../../core/model/run.ts";
import type { Call, CommandOption } from "./command.ts";

/** Options that say which runs are meant. */
export const FILTER_OPTIONS: readonly CommandOption[] = [
  { name: "workflow", value: "NAME", about: "Only runs of this workflow." },
  { name: "status", value: "STATUS", about: `Only runs that stand like this: ${RUN_STATUSES.join(", ")}.` },
];

/** What {@link FILTER_OPTIONS} say. Throws `COMMAND_INVALID`. */
export function readFilter(call: Call): Pick<RunListQuery, "workflow" | "status"> {
  const workflow = call.value("workflow");
  const text = call.value("status");
  const status = RUN_STATUSES.find((known) => known === text);
  if (text !== undefined && !status) {
    throw new WorkflowError("COMMAND_INVALID", `"${text}" is no status of a run. Use one of ${RUN_STATUSES.join(", ")}.`);
  }
  return { ...(workflow === undefined ? {} : { workflow }), ...(status ? { status } : {}) };
}
