import { placeOf } from "../../../core/model/source-places.ts";
import type { ErrorData, Workflow } from "../../../index.ts";
import { readAnswers } from "../prepared-answers.ts";
import { findCalled, reachable, readGiven } from "../called-workflows.ts";
import { EXECUTION_OPTIONS, INPUT_OPTIONS, type Command } from "../command.ts";
import { driveRun } from "../drive-run.ts";
import { fullId } from "../full-id.ts";
import { prepareExecution } from "../grants.ts";
import { showProgress } from "../progress.ts";
import { readInputs } from "../run-inputs.ts";
import { withSecretInputs } from "../secrets.ts";
import { note } from "../terminal.ts";
import { reportInvalid } from "../validation-report.ts";
import { readWorkflowFile } from "../workflow-file.ts";
import { withExecutor } from "../workspace.ts";

export const runCommand: Command = {
  name: "run",
  usage: "FILE [OPTIONS]",
  summary: "Start a workflow and follow it to its end, asking what it asks.",
  about: [
    "FILE holds a workflow in YAML, or is a module in TypeScript or JavaScript with one as its default export. Workflows that it calls are looked for among those given with --workflows, then in the directory of FILE.",
    "Every step and every answer is on the disk before the run continues. However the process ends, even by Ctrl-C or kill -9, wavepoint resume continues from there; finished blocks do not run again.",
    "Where there is no terminal to ask on and no answer is left, the open questions are printed with the command that answers them (exit code 3).",
  ],
  takes: { least: 1, most: 1 },
  options: [
    ...INPUT_OPTIONS,
    { name: "after", value: "RUN", about: "A completed run that this one follows: ${previous.outputs.NAME} is its output." },
    ...EXECUTION_OPTIONS,
  ],
  async run(call, terminal) {
    const [path] = call.places as readonly [string];
    const { setup, output } = await prepareExecution(call, terminal);
    const { blocks } = setup;
    const file = await readWorkflowFile(path, blocks);
    const { workflow } = file;
    if (!workflow) return reportInvalid(file, call, terminal);
    const answers = readAnswers(call.value("answers"));
    const inputs = readInputs(workflow, { file: call.value("inputs"), pairs: call.values("input") });
    const given = await readGiven(call.values("workflows"), { blocks, terminal });
    const workflows = [workflow, ...given, ...findCalled(path, workflow, { given, blocks, terminal })];
    const after = call.value("after");
    return withExecutor({ call, terminal }, { ...setup, workflows }, async (executor) => {
      for (const called of reachable(workflow, workflows)) await executor.load(called);
      const run = await executor.start(
        workflow.name,
        await withSecretInputs(workflow, inputs, setup.secrets),
        after === undefined ? {} : { after: await fullId(executor, after) },
      );
      note(terminal, `Run ${run.id} of ${workflow.name}`);
      const progress = showProgress(run, terminal, { output });
      const locate = (error: ErrorData): ErrorData => locateBlock(workflow, error);
      return driveRun(run, run.settled({ signal: terminal.signal }), { call, terminal, answers, progress, locate });
    });
  },
};

/** An error of a run with the place of the block that caused it. */
function locateBlock(workflow: Workflow, error: ErrorData): ErrorData {
  const index = workflow.blocks.findIndex(({ id }) => id === error.details?.["block"]);
  return index < 0 || error.line !== undefined ? error : { ...error, ...placeOf(workflow, `blocks[${index}]`) };
}
