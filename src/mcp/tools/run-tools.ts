import * as z from "zod/mini";
import type { Values } from "../../core/model/value.ts";
import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";
import { adviseName } from "../../core/model/suggestions.ts";
import type { RunStatus } from "../../core/model/run.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { Executor, Run, StartOptions } from "../../core/run/run.ts";
import { allows, notAllowed } from "./access.ts";
import { admitAnswer, moveRun, openRun, openRunOf, visibleRuns, type HeldRun } from "./held-run.ts";
import { iso, reportView, RUN_REPORT, type RunReport } from "./run-report.ts";
import { defineTool, ENDS, MOVES, READS, SETTLES, text, type BindTool, type ToolCall, type ToolHost } from "./tool.ts";

const INPUTS = z.optional(
  z.record(z.string(), z.unknown()).check(z.describe("Values of the inputs, by name. get_workflow_info lists them.")),
);
const RUN_ID = z.optional(
  z
    .string()
    .check(
      z.describe(
        "A name of your own for the run: letters, digits, _ and -. Called again with the same name, the tool gives that run and starts no second one.",
      ),
    ),
);
const PAUSED = "If it pauses, put the prompt to the person, then call resume_workflow with checkpoint_id and the answer.";
/** What an answer may be: the schema of the question says which. */
const ANSWER = z.unknown();

export const executeWorkflow: BindTool = defineTool({
  name: "execute_workflow",
  title: "Execute a workflow",
  description: `Starts a workflow and tells how it stands once nothing of it executes: completed with outputs, failed, or paused with a question. ${PAUSED} Nothing is lost if the connection breaks: list_runs finds the run.`,
  hints: MOVES,
  moves: true,
  input: z.strictObject({ workflow: text("The name of the workflow."), inputs: INPUTS, run_id: RUN_ID }),
  output: RUN_REPORT,
  handle: (host, { workflow, inputs, run_id }, call) => startRun(host, startable(host, workflow), { inputs, runId: run_id }, call),
});

/** A workflow that clients may start. Throws `WORKFLOW_NOT_FOUND`, `CAPABILITY_MISSING`. */
function startable(host: ToolHost, name: string): Workflow {
  const workflow = visibleWorkflow(host, name);
  if (!allows(host.access, "start", workflow)) throw notAllowed("start", name);
  return workflow;
}

/** A workflow that clients may see. Throws `WORKFLOW_NOT_FOUND`, naming the nearest one. */
export function visibleWorkflow({ workflows, access }: ToolHost, name: string): Workflow {
  const workflow = workflows.get(name);
  if (workflow && allows(access, "read", workflow)) return workflow;
  const known = [...workflows.values()].filter((one) => allows(access, "read", one)).map((one) => one.name);
  const { sentence, details } = adviseName(name, known);
  throw new WorkflowError("WORKFLOW_NOT_FOUND", `Workflow '${name}' not found.${sentence}`, { details: { workflow: name, ...details } });
}

interface Start {
  readonly inputs: Readonly<Record<string, unknown>> | undefined;
  readonly runId?: string | undefined;
}

/** Starts a workflow, or takes up the run of that name, and tells how it stands. */
export async function startRun(host: ToolHost, workflow: Workflow, { inputs, runId }: Start, call: ToolCall): Promise<RunReport> {
  const executor = await host.executor();
  const run = await startOrOpen(host, executor, workflow, await withSecrets(host, workflow, (inputs ?? {}) as Values), runId);
  return moveRun({ executor, run, workflow: host.workflows.get(workflow.name) }, call, (options) => run.settled(options));
}

async function startOrOpen(host: ToolHost, executor: Executor, workflow: Workflow, inputs: Values, id: string | undefined): Promise<Run> {
  const options: StartOptions = id === undefined ? {} : { id: id.replace(/^run_/, "") };
  try {
    return (await executor.start(workflow, inputs, options)) as Run;
  } catch (error) {
    if (id === undefined || !isWorkflowError(error) || error.code !== "RUN_EXISTS") throw error;
    const { run } = await openRun(host, id, "start");
    if (run.getSnapshot().workflow !== workflow.name) throw error;
    return run;
  }
}

/** The inputs of a run with the secret ones, which come from the host. Throws `SECRET_MISPLACED` for one that the client gives. */
export async function withSecrets({ secrets }: ToolHost, workflow: Workflow, given: Values): Promise<Values> {
  const inputs = { ...given };
  for (const [name, { secret }] of Object.entries(workflow.inputs ?? {})) {
    if (!secret) continue;
    if (Object.hasOwn(inputs, name)) {
      const message = `Input "${name}" is secret: leave it out, the host of this server gives it.`;
      throw new WorkflowError("SECRET_MISPLACED", message, { details: { input: name } });
    }
    const value = await secrets(name);
    if (value !== undefined) inputs[name] = value;
  }
  return inputs;
}

export const resumeWorkflow: BindTool = defineTool({
  name: "resume_workflow",
  title: "Resume a workflow",
  description: `Continues a paused workflow with an answer, or one that crashed, was stopped or failed: then without an answer, from a checkpoint or by the id of the run. Steps that completed do not run again. ${PAUSED}`,
  hints: MOVES,
  moves: true,
  input: z.strictObject({
    checkpoint_id: text("The checkpoint: of a pause, from list_checkpoints, or the id of a run."),
    llm_response: z.optional(ANSWER.check(z.describe("The answer to the question, where it is paused: a text, or what its schema says."))),
  }),
  output: RUN_REPORT,
  async handle(host, { checkpoint_id, llm_response }, call) {
    if (!checkpoint_id.startsWith("pause_") && (llm_response === undefined || llm_response === "")) return goOn(host, checkpoint_id, call);
    const held = await openRunOf(host, checkpoint_id, "answer");
    const { executor } = held;
    if (llm_response === undefined) return moveRun(held, call, (options) => executor.resume(checkpoint_id, undefined, options));
    const answer = await admitAnswer(held, checkpoint_id, llm_response);
    return moveRun(held, call, (options) => executor.resume(checkpoint_id, answer, options), { isAgain: true });
  },
});

async function goOn(host: ToolHost, place: string, call: ToolCall): Promise<RunReport> {
  if (!place.startsWith("chk_")) {
    const held = await openRun(host, place, "start");
    return moveRun(held, call, (options) => held.run.resume(options));
  }
  const held = await openRunOf(host, place, "start");
  return moveRun(held, call, (options) => held.executor.resume(place, undefined, options));
}

export const answerPause: BindTool = defineTool({
  name: "answer_pause",
  title: "Answer a question",
  description:
    "Answers one open question of a run, or says that there will be no answer. Where several are open, they may be answered in any order; the run goes on when none is. The first valid answer counts; revise_answer changes it.",
  hints: SETTLES,
  moves: true,
  input: z.strictObject({
    checkpoint_id: text("The question: a checkpoint_id of pauses."),
    response: z.optional(ANSWER.check(z.describe("The answer, as the schema of the question says."))),
    action: z.optional(
      z
        .enum(["answer", "decline", "skip"])
        .check(
          z.describe(
            "decline: there will be no answer, and the block fails unless it takes that for one. skip: leaves the question out, where it may be. Default: answer.",
          ),
        ),
    ),
  }),
  output: RUN_REPORT,
  async handle(host, { checkpoint_id, response, action = "answer" }, call) {
    const held = await openRunOf(host, checkpoint_id, "answer");
    const { executor, run } = held;
    if (action !== "answer") return moveRun(held, call, (options) => run.decline(checkpoint_id, { ...options, action }));
    const answer = response === undefined ? undefined : await admitAnswer(held, checkpoint_id, response);
    return moveRun(held, call, (options) => executor.resume(checkpoint_id, answer, options), { isAgain: true });
  },
});

export const reviseAnswer: BindTool = defineTool({
  name: "revise_answer",
  title: "Change an earlier answer",
  description:
    "Changes an answer that was given earlier, in the same run. Only what depends on it runs again; questions whose answer no longer holds are asked again. With preview, nothing is changed: it tells what would be kept, asked again and run again.",
  hints: MOVES,
  moves: true,
  input: z.strictObject({
    checkpoint_id: text("The question that was answered."),
    response: ANSWER.check(z.describe("The new answer.")),
    preview: z.optional(z.boolean()),
  }),
  output: RUN_REPORT,
  async handle(host, { checkpoint_id, response, preview }, call) {
    const held = await openRunOf(host, checkpoint_id, "answer");
    const { run, workflow } = held;
    const answer = await admitAnswer(held, checkpoint_id, response);
    if (!preview) return moveRun(held, call, (options) => run.revise<string>(checkpoint_id, answer, options), { isAgain: true });
    const found = await run.previewRevise<string>(checkpoint_id, answer);
    return { ...reportView(run.getSnapshot(), workflow), preview: { ...found } };
  },
});

export const getRunStatus: BindTool = defineTool({
  name: "get_run_status",
  title: "See how a run stands",
  description: "Tells how a run stands now: its status, its blocks, open questions, outputs or error. Changes nothing and does not wait.",
  hints: READS,
  moves: false,
  input: z.strictObject({ run_id: text("The id of the run.") }),
  output: RUN_REPORT,
  async handle(host, { run_id }) {
    const { run, workflow } = await openRun(host, run_id, "read");
    return reportView(run.getSnapshot(), workflow);
  },
});

const RUN_STATUS = z.enum(["running", "paused", "completed", "failed", "cancelled"] satisfies readonly RunStatus[]);
/** Runs and checkpoints in one answer, unless the client says otherwise. */
const PAGE = 50;
export const LIMIT: z.ZodMiniOptional<z.ZodMiniNumber> = z.optional(
  z.int().check(z.gte(1), z.lte(1000), z.describe(`How many at most, 1 to 1,000. Default: ${PAGE}.`)),
);
export const AFTER: z.ZodMiniOptional<z.ZodMiniString> = z.optional(text("What the page before gave as next."));
export const pageOf = (limit: number = PAGE, after?: string): { readonly limit: number; readonly after?: string } => ({
  limit,
  ...(after === undefined ? {} : { after }),
});

export const listRuns: BindTool = defineTool({
  name: "list_runs",
  title: "List runs",
  description: "Lists runs, those that changed last first, with their open questions. Finds a run whose answer got lost on the way.",
  hints: READS,
  moves: false,
  input: z.strictObject({
    workflow_name: z.optional(text("Only runs of this workflow.")),
    status: z.optional(RUN_STATUS),
    limit: LIMIT,
    after: AFTER,
  }),
  output: z.object({
    runs: z.array(
      z.object({
        run_id: z.string(),
        workflow: z.string(),
        status: RUN_STATUS,
        label: z.optional(z.string()),
        created_at: z.string(),
        changed_at: z.string(),
        pauses: z.array(z.object({ checkpoint_id: z.string(), prompt: z.string() })),
      }),
    ),
    total: z.number(),
    next: z.optional(z.string()),
  }),
  async handle(host, { workflow_name, status, limit, after }) {
    const executor = await host.executor();
    const query = { ...(workflow_name ? { workflow: workflow_name } : {}), ...(status ? { status } : {}), topLevel: true };
    const { items, next } = await executor.runs.list({ ...query, ...pageOf(limit, after) });
    const runs = await visibleRuns(host, items);
    return {
      runs: runs.map((head) => ({
        run_id: head.id,
        workflow: head.workflow,
        status: head.status,
        ...(head.label === undefined ? {} : { label: head.label }),
        created_at: iso(head.createdAt),
        changed_at: iso(head.changedAt),
        pauses: head.pauses.map(({ id, prompt }) => ({ checkpoint_id: id, prompt })),
      })),
      total: runs.length,
      ...(next === undefined ? {} : { next }),
    };
  },
});

export const cancelRun: BindTool = defineTool({
  name: "cancel_run",
  title: "Cancel a run",
  description:
    "Ends a run for good: blocks that execute are aborted, open questions fall away, and compensations run. A cancelled run does not go on.",
  hints: ENDS,
  moves: true,
  input: z.strictObject({ run_id: text("The id of the run."), reason: z.optional(z.string()) }),
  output: RUN_REPORT,
  async handle(host, { run_id, reason }, call) {
    const held: HeldRun = await openRun(host, run_id, "start");
    return moveRun(held, call, () => held.run.cancel(reason === undefined ? {} : { reason }));
  },
});
