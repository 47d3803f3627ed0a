import * as z from "zod/mini";
import { isWorkflowError } from "../../core/model/errors.ts";
import type { Answer } from "../../core/model/file-value.ts";
import type { Values } from "../../core/model/value.ts";
import type { CheckpointInfo, ListedCheckpoint } from "../../core/model/checkpoint.ts";
import type { Pause } from "../../core/model/run.ts";
import { admitAnswer, moveRun, openRunOf, visibleOf } from "./held-run.ts";
import { printPause } from "./print-pause.ts";
import { AFTER, LIMIT, pageOf, withSecrets } from "./run-tools.ts";
import { iso, RUN_REPORT } from "./run-report.ts";
import { defineTool, ENDS, MOVES, READS, text, type BindTool } from "./tool.ts";

const MS_PER_SECOND = 1000;

/** An instant as Unix time and as text. */
const instant = (at: number): { readonly created_at: number; readonly created_at_iso: string } => ({
  created_at: at / MS_PER_SECOND,
  created_at_iso: iso(at),
});

const TYPES = { wave: "automatic", pause: "pause", requested: "requested" } as const;

export const listCheckpoints: BindTool = defineTool({
  name: "list_checkpoints",
  title: "List checkpoints",
  description:
    "Lists checkpoints, newest first: pauses that wait or waited for an answer, places after each wave from which a crashed or failed run goes on, and those that blocks asked for.",
  hints: READS,
  moves: false,
  input: z.strictObject({
    workflow_name: z.optional(text("Only checkpoints of this workflow. Empty or left out: of all.")),
    run_id: z.optional(text("Only checkpoints of this run.")),
    limit: LIMIT,
    after: AFTER,
  }),
  output: z.object({
    checkpoints: z.array(
      z.object({
        checkpoint_id: z.string(),
        run_id: z.string(),
        workflow: z.string(),
        created_at: z.number().check(z.describe("Unix time in seconds.")),
        created_at_iso: z.string(),
        is_paused: z.boolean().check(z.describe("Whether it waits for an answer now.")),
        pause_prompt: z.nullable(z.string()),
        type: z.enum(["automatic", "pause", "requested"]),
        status: z.optional(z.enum(["open", "answered", "withdrawn"])),
      }),
    ),
    total: z.number(),
    next: z.optional(z.string()),
  }),
  async handle(host, { workflow_name, run_id, limit, after }) {
    const executor = await host.executor();
    const query = { ...(workflow_name ? { workflow: workflow_name } : {}), ...(run_id ? { run: run_id } : {}) };
    const { items, next } = await executor.checkpoints.list({ ...query, ...pageOf(limit, after) });
    const seen = await visibleOf(host, items, ({ run }) => run);
    return { checkpoints: seen.map(lineOf), total: seen.length, ...(next === undefined ? {} : { next }) };
  },
});

function lineOf({ id, run, workflow, createdAt, kind, prompt, status }: ListedCheckpoint) {
  return {
    checkpoint_id: id,
    run_id: run,
    workflow,
    ...instant(createdAt),
    is_paused: kind === "pause" && status === "open",
    pause_prompt: prompt ?? null,
    type: TYPES[kind],
    ...(status ? { status } : {}),
  };
}

export const getCheckpointInfo: BindTool = defineTool({
  name: "get_checkpoint_info",
  title: "Look at a checkpoint",
  description: "Tells what the state at a checkpoint is: what had completed, which question was open, and how far the run was.",
  hints: READS,
  moves: false,
  input: z.strictObject({ checkpoint_id: z.string() }),
  output: z.object({
    found: z.boolean(),
    error: z.optional(z.string()),
    checkpoint_id: z.optional(z.string()),
    run_id: z.optional(z.string()),
    workflow_name: z.optional(z.string()),
    created_at: z.optional(z.number()),
    created_at_iso: z.optional(z.string()),
    is_paused: z.optional(z.boolean()),
    paused_block_id: z.optional(z.nullable(z.string())),
    pause_prompt: z.optional(z.nullable(z.string())),
    completed_blocks: z.optional(z.array(z.string())),
    current_wave: z.optional(z.number().check(z.describe("Counted from 0."))),
    total_waves: z.optional(z.number()),
    progress_percentage: z.optional(z.number()),
  }),
  async handle(host, { checkpoint_id }) {
    try {
      const { executor, workflow } = await openRunOf(host, checkpoint_id, "read");
      const info = await executor.checkpoints.get(checkpoint_id);
      const asked = info.pauses.find(({ id }) => id === checkpoint_id) ?? info.pauses[0];
      return infoOf(info, asked && { ...asked, prompt: printPause(asked, workflow) });
    } catch (error) {
      if (!isWorkflowError(error) || error.code !== "CHECKPOINT_NOT_FOUND") throw error;
      return { found: false, error: `Checkpoint ${checkpoint_id} not found or expired` };
    }
  },
});

function infoOf(info: CheckpointInfo, asked: Pause | undefined) {
  return {
    found: true,
    checkpoint_id: info.id,
    run_id: info.run,
    workflow_name: info.workflow,
    ...instant(info.createdAt),
    is_paused: info.pausedBlock !== undefined,
    paused_block_id: info.pausedBlock ?? null,
    pause_prompt: asked?.prompt ?? info.pausePrompt ?? null,
    completed_blocks: [...info.completedBlocks],
    current_wave: info.currentWave,
    total_waves: info.totalWaves,
    progress_percentage: info.progressPercentage,
  };
}

export const deleteCheckpoint: BindTool = defineTool({
  name: "delete_checkpoint",
  title: "Delete a checkpoint",
  description: "Deletes a checkpoint. Deleting one of an open question gives its run up: it ends as cancelled.",
  hints: ENDS,
  moves: false,
  input: z.strictObject({ checkpoint_id: z.string() }),
  output: z.object({ deleted: z.boolean(), checkpoint_id: z.string(), message: z.string() }),
  async handle(host, { checkpoint_id }) {
    const deleted = await removeCheckpoint();
    return { deleted, checkpoint_id, message: deleted ? "Checkpoint deleted successfully" : "Checkpoint not found" };

    async function removeCheckpoint(): Promise<boolean> {
      try {
        const { executor } = await openRunOf(host, checkpoint_id, "start");
        return await executor.checkpoints.delete(checkpoint_id);
      } catch (error) {
        if (isWorkflowError(error) && error.code === "CHECKPOINT_NOT_FOUND") return false;
        throw error;
      }
    }
  },
});

export const forkCheckpoint: BindTool = defineTool({
  name: "fork_checkpoint",
  title: "Try another way from a checkpoint",
  description:
    "Makes a new run that shares the past of another one up to a checkpoint, and lets it go on; the other run stays as it is. With answers or inputs that differ, what depends on them runs again.",
  hints: MOVES,
  moves: true,
  input: z.strictObject({
    checkpoint_id: z.string(),
    answers: z.optional(
      z
        .record(z.string(), z.unknown())
        .check(z.describe("Answers to open questions at the checkpoint, by their checkpoint_id in the run it comes from.")),
    ),
    inputs: z.optional(z.record(z.string(), z.unknown()).check(z.describe("Inputs in the place of the run's own; all that are needed."))),
  }),
  output: RUN_REPORT,
  async handle(host, { checkpoint_id, answers = {}, inputs }, call) {
    const held = await openRunOf(host, checkpoint_id, "start");
    const { executor, workflow } = held;
    const admitted: Record<string, Answer> = {};
    for (const [pause, answer] of Object.entries(answers)) {
      const asked = await openRunOf(host, pause, "answer");
      admitted[pause] = await admitAnswer(asked, pause, answer);
    }
    const given = inputs && (await withSecrets(host, workflow ?? (await held.run.definition()), inputs as Values));
    const run = await executor.fork(checkpoint_id, { answers: admitted, ...(given ? { inputs: given } : {}) });
    return moveRun({ ...held, run }, call, (options) => run.settled(options));
  },
});
