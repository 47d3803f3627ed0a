import * as z from "zod/mini";
import type { RunResult } from "../../core/model/result.ts";
import type { Pause } from "../../core/model/run.ts";
import type { RunView } from "../../core/model/view.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import { plainJson } from "../../core/model/plain-json.ts";
import { isForModels, schemaForModels } from "../../core/model/question-for-models.ts";
import { printPause } from "./print-pause.ts";
import { errorMembers, text, type Answered } from "./tool.ts";

/** An open question, as tools tell it. */
export interface PauseReport {
  readonly checkpoint_id: string;
  readonly prompt: string;
  readonly path: string[];
  readonly title?: string | undefined;
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly for_person?: true | undefined;
  readonly expires_at?: string | undefined;
}

/** How a run stands, as tools tell it. Members that do not apply are left out. */
export interface RunReport extends Answered {
  readonly status: "success" | "failure" | "paused" | "running" | "cancelled";
  readonly run_id?: string | undefined;
  readonly workflow?: string | undefined;
  readonly message?: string | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: string | undefined;
  readonly code?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** The first open question. */
  readonly checkpoint_id?: string | undefined;
  readonly prompt?: string | undefined;
  readonly pauses?: PauseReport[] | undefined;
  readonly execution?: Readonly<Record<string, unknown>> | undefined;
  readonly preview?: Readonly<Record<string, unknown>> | undefined;
}

const MEMBERS = z.optional(z.record(z.string(), z.unknown()));

const PAUSE = z.object({
  checkpoint_id: text("What resume_workflow and answer_pause take."),
  prompt: z.string(),
  path: z.array(z.string()).check(z.describe("The blocks from the outermost run down to the one that asks.")),
  title: z.optional(z.string()),
  schema: z.optional(z.record(z.string(), z.unknown()).check(z.describe("What an answer must look like, as a JSON Schema."))),
  for_person: z.optional(z.literal(true).check(z.describe("Only a person can answer it, in the application itself."))),
  expires_at: z.optional(text("When the question ends by itself.")),
});

export const RUN_REPORT: z.ZodMiniType<RunReport> = z.object({
  status: z.enum(["success", "failure", "paused", "running", "cancelled"]),
  run_id: z.optional(z.string()),
  workflow: z.optional(z.string()),
  message: z.optional(z.string()),
  outputs: MEMBERS,
  error: z.optional(z.string()),
  code: z.optional(z.string()),
  details: MEMBERS,
  checkpoint_id: z.optional(text("The first open question: what resume_workflow takes.")),
  prompt: z.optional(text("The first open question.")),
  pauses: z.optional(z.array(PAUSE).check(z.describe("All open questions. Each may be answered, in any order."))),
  execution: MEMBERS,
  preview: MEMBERS,
});

/** Words of a message that depend on what was called. */
export interface ReportWords {
  /** Whether the run had been paused before. */
  readonly isAgain?: boolean;
}

/** What came of starting or moving a run. `pauses` are those open in the run now, also where the result is a refusal. */
export function reportResult(result: RunResult, view: RunView, workflow: Workflow | undefined, { isAgain }: ReportWords = {}): RunReport {
  const about = { run_id: result.run, workflow: view.workflow };
  if (result.status === "success") {
    return plainJson({
      status: "success",
      ...about,
      outputs: result.outputs,
      message: "Workflow completed successfully",
      ...figures(result),
    });
  }
  if (result.status === "paused") {
    const message =
      result.reason === "stopped"
        ? "Workflow stopped for now - use resume_workflow with its run_id to continue"
        : `Workflow paused${isAgain ? " again" : ""} - use resume_workflow to continue`;
    return { status: "paused", ...about, ...reportPauses(view.pauses, workflow), message };
  }
  const { error } = result;
  return plainJson({
    status: view.status === "cancelled" ? "cancelled" : "failure",
    ...about,
    ...errorMembers(error),
    ...(view.pauses.length > 0 ? reportPauses(view.pauses, workflow) : {}),
    message: isRefusal(view) ? "Nothing has changed" : "Workflow execution failed",
  });
}

/** How a run stands now, whether or not it executes. */
export function reportView(view: RunView, workflow: Workflow | undefined): RunReport {
  const blocks = view.waves.flatMap((wave) => wave.blocks);
  const settled = blocks.filter(isSettled).length;
  return plainJson({
    status: STATUS[view.status],
    run_id: view.id,
    workflow: view.workflow,
    ...(view.outputs ? { outputs: view.outputs } : {}),
    ...(view.error ? errorMembers(view.error) : {}),
    ...(view.pauses.length > 0 ? reportPauses(view.pauses, workflow) : {}),
    ...(view.status === "running" ? { message: "The workflow goes on - use get_run_status to see how it stands" } : {}),
    execution: {
      created_at: iso(view.createdAt),
      updated_at: iso(view.updatedAt),
      ...(view.endedAt === undefined ? {} : { ended_at: iso(view.endedAt) }),
      total_waves: view.waves.length,
      total_blocks: blocks.length,
      settled_blocks: settled,
      blocks: Object.fromEntries(blocks.map(({ id, status }) => [id, status])),
    },
  });
}

const STATUS = { running: "running", paused: "paused", completed: "success", failed: "failure", cancelled: "cancelled" } as const;
const SETTLED: ReadonlySet<string> = new Set(["completed", "failed", "skipped"]);

/** Whether a block has ended. */
export function isSettled({ status }: { readonly status: string }): boolean {
  return SETTLED.has(status);
}

/** A refusal leaves the run as it was: neither failed nor cancelled. */
function isRefusal({ status }: RunView): boolean {
  return status !== "failed" && status !== "cancelled";
}

function reportPauses(pauses: readonly Pause[], workflow: Workflow | undefined): Pick<RunReport, "checkpoint_id" | "prompt" | "pauses"> {
  const reported = pauses.map((pause) => ({
    checkpoint_id: pause.id,
    prompt: printPause(pause, workflow),
    path: [...pause.path],
    ...(pause.title === undefined ? {} : { title: pause.title }),
    ...(isForModels(pause) ? { schema: { ...schemaForModels(pause.schema) } } : { for_person: true as const }),
    ...(pause.expiresAt === undefined ? {} : { expires_at: iso(pause.expiresAt) }),
  }));
  const [first] = reported;
  return { ...(first ? { checkpoint_id: first.checkpoint_id, prompt: first.prompt } : {}), pauses: reported };
}

function figures({ metadata }: Extract<RunResult, { status: "success" }>): Pick<RunReport, "execution"> {
  const { executionTimeSeconds, executionWaves, totalBlocks, completed, failed, skipped } = metadata;
  return {
    execution: {
      execution_time_seconds: executionTimeSeconds,
      execution_waves: executionWaves,
      total_blocks: totalBlocks,
      completed,
      failed,
      skipped,
    },
  };
}

/** An instant as clients read it. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
