import { deleteCheckpoint, forkCheckpoint, getCheckpointInfo, listCheckpoints } from "./checkpoint-tools.ts";
import { answerPause, cancelRun, executeWorkflow, getRunStatus, listRuns, resumeWorkflow, reviseAnswer } from "./run-tools.ts";
import { getWorkflowInfo, listWorkflows } from "./workflow-tools.ts";
import { type Access, type Action, allowsAny } from "./access.ts";
import type { BindTool, Tool, ToolHost } from "./tool.ts";
import { workflowsAsTools } from "./workflow-as-tool.ts";

/** What a client must be allowed for a tool to be of use; `move`: to start or to answer. */
type Need = Action | "inline" | "move";

/** A tool with what it needs. */
export type Line = readonly [tool: BindTool, ...needs: readonly Need[]];

/** The tools that need no reader of YAML, in the order in which clients list them. */
export const RUN_TOOLS: readonly Line[] = [
  [listWorkflows, "read"],
  [getWorkflowInfo, "read"],
  [executeWorkflow, "read", "start"],
  [resumeWorkflow, "read", "move"],
  [answerPause, "read", "answer"],
  [reviseAnswer, "read", "answer"],
  [listRuns, "read"],
  [getRunStatus, "read"],
  [cancelRun, "read", "start"],
  [listCheckpoints, "read"],
  [getCheckpointInfo, "read"],
  [deleteCheckpoint, "read", "start"],
  [forkCheckpoint, "read", "start"],
];

/** The tools of a table that are of use to clients with the host's access, and the workflows that the host wants as tools. */
export function bindTools(table: readonly Line[], host: ToolHost): readonly Tool[] {
  const bound = table.filter(([, ...needs]) => needs.every((need) => isAllowed(host.access, need))).map(([bind]) => bind(host));
  return [...bound, ...workflowsAsTools(host, bound)];
}

function isAllowed(access: Access, need: Need): boolean {
  if (need === "move") return allowsAny(access, "start") || allowsAny(access, "answer");
  return need === "inline" ? access.inline === true : allowsAny(access, need);
}
