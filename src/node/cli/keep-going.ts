import { isWorkflowError, type Executor, type RunEvent, type Workflow } from "../../index.ts";
import { plainLine } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";

/** Goes on with runs that a dead process left, and starts runs at the times of schedules, until the signal aborts. */
export async function keepGoing(executor: Executor, workflows: readonly Workflow[], signal: AbortSignal): Promise<void> {
  for (const workflow of workflows) if (workflow.schedule) await executor.load(workflow);
  try {
    await Promise.all([executor.recover({ watch: true, signal }), executor.runSchedules({ signal })]);
  } catch (error) {
    if (!signal.aborted || !isWorkflowError(error) || error.code !== "ABORTED") throw error;
  }
}

/** Says what workflows a process works for. */
export function noteWorkflows(workflows: readonly Workflow[], terminal: Terminal): void {
  const scheduled = workflows.filter(({ schedule }) => schedule).length;
  note(terminal, `Workflows: ${workflows.length}, with a schedule: ${scheduled}. Ctrl-C ends it.`);
}

/** Says which runs a schedule started, and which ended. */
export function noteEvent(event: RunEvent, terminal: Terminal): void {
  if (event.type === "scheduled") {
    note(terminal, event.error ? `${event.workflow} did not start: ${plainLine(event.error.message)}` : `Started ${event.run}`);
  } else if (event.type === "recorded" && event.entry.type === "finished") {
    note(terminal, `${event.run} ${event.entry.status}`);
  }
}
