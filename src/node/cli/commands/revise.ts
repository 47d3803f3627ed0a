import { parseCheckpointId } from "../../../core/model/ids.ts";
import { WorkflowError, type Answer, type RevisionPreview, type Run } from "../../../index.ts";
import { readAnswers } from "../prepared-answers.ts";
import { readGiven } from "../called-workflows.ts";
import { EXECUTION_OPTIONS, type Command } from "../command.ts";
import { driveRun } from "../drive-run.ts";
import { prepareExecution } from "../grants.ts";
import { EXIT } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { fitAnswer } from "../fit-answer.ts";
import { plainJson, tableLines } from "../plain-text.ts";
import { showProgress } from "../progress.ts";
import { note } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";

export const reviseCommand: Command = {
  name: "revise",
  usage: "PAUSE ANSWER [OPTIONS]",
  summary: "Change an earlier answer of a run: what does not depend on it is kept, the rest runs or is asked again.",
  about: [
    "It stays the same run. wavepoint show RUN lists its pauses (pause_…). A run that is completed or cancelled is not changed: wavepoint fork --revise makes a new one of it.",
  ],
  takes: { least: 2, most: 2 },
  options: [
    { name: "preview", about: "Tell what would be kept, asked again and run again. Nothing runs, and nothing is stored." },
    ...EXECUTION_OPTIONS,
  ],
  async run(call, terminal) {
    const [id, answer] = call.places as readonly [string, string];
    if (parseCheckpointId(id)?.kind !== "pause")
      throw new WorkflowError("COMMAND_INVALID", `"${id}" is no pause. See wavepoint show RUN for those of a run.`);
    const answers = readAnswers(call.value("answers"));
    const { setup, output } = await prepareExecution(call, terminal);
    const given = await readGiven(call.values("workflows"), { blocks: setup.blocks, terminal });
    return withExecutor({ call, terminal }, { ...setup, workflows: given }, async (executor) => {
      const pause = await fullId(executor, id);
      const run = await executor.open(parseCheckpointId(pause)!.run);
      const response = await fit(run, pause, answer);
      if (call.has("preview")) {
        const preview = await run.previewRevise(pause, response);
        if (call.has("json")) terminal.out.write(`${plainJson(preview)}\n`);
        else for (const line of tableLines(rowsOf(preview))) terminal.out.write(`${line}\n`);
        return EXIT.completed;
      }
      const progress = showProgress(run, terminal, { output });
      const revised = run.revise(pause, response, { signal: terminal.signal }).then((result) => {
        // A run that failed later on has the new answer all the same.
        const { workflow, error } = run.getSnapshot();
        if (result.error && result.error.code !== error?.code)
          throw new WorkflowError(result.error.code, result.error.message, result.error);
        note(terminal, `Run ${run.id} of ${workflow}, revised at ${pause}`);
        return result;
      });
      return driveRun(run, revised, { call, terminal, answers, progress });
    });
  },
};

async function fit(run: Run, pause: string, answer: string): Promise<Answer> {
  const asked = (await run.answers()).find((item) => item.pause === pause);
  return asked?.schema ? fitAnswer(answer, asked.schema) : answer;
}

function rowsOf({ kept, asked, rerun, effects, once, skipped, leftDone, uncertain }: RevisionPreview): readonly (readonly string[])[] {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["Kept", kept],
    ["Asked", asked],
    ["Run again", rerun],
    ["  with effects", effects],
    ["  asked about before", once],
    ["Skipped", skipped],
    ["Done and not undone", leftDone],
    ["Not known before", uncertain],
  ];
  return rows.filter(([, blocks]) => blocks.length > 0).map(([what, blocks]) => [what, blocks.join(", ")]);
}
