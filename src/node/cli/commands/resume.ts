import { CALLING_TYPES } from "../../../core/model/workflow.ts";
import { parseCheckpointId } from "../../../core/model/ids.ts";
import { isWorkflowError, WorkflowError, type Executor, type Run, type RunResult, type Answer, type BlockType } from "../../../index.ts";
import { readAnswers } from "../prepared-answers.ts";
import { readAround, readGiven } from "../called-workflows.ts";
import { EXECUTION_OPTIONS, type Call, type Command } from "../command.ts";
import { driveRun } from "../drive-run.ts";
import { prepareExecution, type Execution } from "../grants.ts";
import type { ExitCode } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { fitAnswer } from "../fit-answer.ts";
import { showProgress } from "../progress.ts";
import { note, type Terminal } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";

export const resumeCommand: Command = {
  name: "resume",
  usage: "RUN_OR_CHECKPOINT [ANSWER] [OPTIONS]",
  summary: "Go on with a run: answer it, continue it after a crash, or try again what failed.",
  about: [
    "RUN_OR_CHECKPOINT is a run (run_…), a pause (pause_…) or the checkpoint after a wave (chk_…). ANSWER answers the pause, or the only open question of the run. Without it you are asked. Where there is no terminal to ask on, the open questions are printed (exit code 3).",
    "The run keeps the workflow it was started with, even if its file has changed. Workflows it calls from here on are looked for among those given with --workflows, else in the working directory.",
  ],
  takes: { least: 1, most: 2 },
  options: [
    {
      name: "fork",
      about:
        "Go on from an older checkpoint in a new run, and leave the old one as it is. With a pause, ANSWER takes the place of the first one.",
    },
    { name: "skip", about: "Leave the question out, where it may be left out." },
    { name: "decline", about: "Say that the question will not be answered: its block fails, unless it takes that for an answer." },
    ...EXECUTION_OPTIONS,
  ],
  async run(call, terminal) {
    const [id, answer] = call.places as readonly [string, string?];
    const action = readAction(call, answer);
    const answers = readAnswers(call.value("answers"));
    const paths = call.values("workflows");
    const { setup, output } = await prepareExecution(call, terminal);
    const given = await readGiven(paths, { blocks: setup.blocks, terminal });
    return withExecutor({ call, terminal }, { ...setup, workflows: given }, async (executor) => {
      const place = await fullId(executor, id);
      const checkpoint = parseCheckpointId(place);
      const run = await executor.open(checkpoint?.run ?? place);
      if (call.has("fork") && !checkpoint) {
        throw new WorkflowError("COMMAND_INVALID", `--fork wants a checkpoint. See wavepoint show ${place} for those of the run.`);
      }
      if (paths.length === 0) await loadCalled(executor, run, setup.blocks);
      if (call.has("fork")) return forkRun(executor, place, { call, terminal, answers, answer, output });
      note(terminal, `Run ${run.id} of ${run.getSnapshot().workflow}`);
      const progress = showProgress(run, terminal, { since: run.getSnapshot(), output });
      const { signal } = terminal;
      const started = action
        ? run.decline(place.startsWith("run_") ? onlyPause(run) : place, { action, signal })
        : goOn(executor, run, { place, answer, signal });
      return driveRun(run, started, { call, terminal, answers, progress, first: place });
    });
  },
};

/** Returns the action in place of an answer. Throws `COMMAND_INVALID`. */
function readAction(call: Call, answer: string | undefined): "skip" | "decline" | undefined {
  const given = (["skip", "decline"] as const).filter((action) => call.has(action));
  if (given.length + (answer === undefined ? 0 : 1) + (call.has("fork") ? 1 : 0) <= 1 || given.length === 0) return given[0];
  throw new WorkflowError(
    "COMMAND_INVALID",
    "Answer a question, leave it out with --skip, or decline it with --decline: one of these, and without --fork.",
  );
}

/** Loads the workflows of the working directory that a run may call. Skips those that cannot be loaded: if the run needs one, its error says so. */
export async function loadCalled(executor: Executor, run: Run, blocks: readonly BlockType[]): Promise<void> {
  if (!mayCall(run)) return;
  for (const workflow of readAround(".", blocks)) {
    try {
      await executor.load(workflow);
    } catch (error) {
      if (!isWorkflowError(error) || error.code.startsWith("STORE_")) throw error;
    }
  }
}

interface Going {
  readonly place: string;
  readonly answer: string | undefined;
  readonly signal: AbortSignal;
}

async function goOn(executor: Executor, run: Run, { place, answer, signal }: Going): Promise<RunResult> {
  const { pauses } = run.getSnapshot();
  const isRun = place.startsWith("run_");
  if (answer === undefined) {
    const waits = pauses.some(({ id }) => id === place);
    return isRun || waits ? run.resume({ signal }) : executor.resume(place, undefined, { signal });
  }
  const asked = isRun ? onlyPause(run) : place;
  return executor.resume(asked, await fit(executor, asked, answer), { signal });
}

async function forkRun(
  executor: Executor,
  place: string,
  {
    call,
    terminal,
    answers,
    answer,
    output,
  }: { call: Call; terminal: Terminal; answers: ReturnType<typeof readAnswers>; answer: string | undefined; output: Execution["output"] },
): Promise<ExitCode> {
  const { signal } = terminal;
  const response = answer === undefined ? undefined : await fit(executor, place, answer);
  const result = await executor.resume(place, response, { fork: true, signal });
  const run = await executor.open(result.run);
  note(terminal, `Run ${run.id} of ${run.getSnapshot().workflow}, forked at ${place}`);
  return driveRun(run, Promise.resolve(result), { call, terminal, answers, progress: showProgress(run, terminal, { output }) });
}

function onlyPause(run: Run): string {
  const { pauses } = run.getSnapshot();
  const [pause] = pauses;
  if (pause && pauses.length === 1) return pause.id;
  const problem = pause
    ? `Run ${run.id} asks several questions. Answer one by its id: ${pauses.map(({ id }) => id).join(", ")}.`
    : `Run ${run.id} asks nothing, so it takes no answer. Resume it without one.`;
  throw new WorkflowError(pause ? "COMMAND_INVALID" : "RESPONSE_UNEXPECTED", problem);
}

async function fit(executor: Executor, pause: string, answer: string): Promise<Answer> {
  const run = parseCheckpointId(pause)?.run;
  const open = run === undefined ? [] : (await executor.open(run)).getSnapshot().pauses;
  const asked = open.find(({ id }) => id === pause);
  return asked ? fitAnswer(answer, asked.schema) : answer;
}

/** Whether a block that may still run calls another workflow. */
function mayCall(run: Run): boolean {
  const { waves, status } = run.getSnapshot();
  if (status === "completed" || status === "cancelled") return false;
  return waves.some(({ blocks }) =>
    blocks.some((block) => CALLING_TYPES.has(block.type) && block.status !== "completed" && block.status !== "skipped"),
  );
}
