import type { JsonSchema } from "../../../index.ts";
import { readAnswers } from "../prepared-answers.ts";
import { readGiven } from "../called-workflows.ts";
import { EXECUTION_OPTIONS, type Command } from "../command.ts";
import { driveRun } from "../drive-run.ts";
import { fitAnswer } from "../fit-answer.ts";
import { prepareExecution } from "../grants.ts";
import { showProgress } from "../progress.ts";
import { note } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";
import { loadCalled } from "./resume.ts";
import { fullId } from "../full-id.ts";

/** Reads JSON as JSON, and anything else as a text. */
const SPELLED: JsonSchema = { type: ["object", "array", "number", "boolean", "null"] };

export const signalCommand: Command = {
  name: "signal",
  usage: "RUN NAME [VALUE] [OPTIONS]",
  summary: "Tell a run that an event has happened, and continue it.",
  about: [
    "A block that waits for an event of this NAME continues. If nothing waits for it yet, it is kept. VALUE is JSON, or a text. RUN/BLOCK is the run that a block called: it has its own signals.",
    "Workflows that the run calls from here on are looked for among those given with --workflows, else in the working directory.",
  ],
  takes: { least: 2, most: 3 },
  options: [{ name: "id", value: "TEXT", about: "Sent again with the same id, the signal is taken once." }, ...EXECUTION_OPTIONS],
  async run(call, terminal) {
    const [place, name, value] = call.places as readonly [string, string, string?];
    const id = call.value("id");
    const answers = readAnswers(call.value("answers"));
    const { setup, output } = await prepareExecution(call, terminal);
    const workflows = await readGiven(call.values("workflows"), { blocks: setup.blocks, terminal });
    const { signal } = terminal;
    return withExecutor({ call, terminal }, { ...setup, workflows }, async (executor) => {
      const run = await executor.open(await fullId(executor, place));
      if (workflows.length === 0) await loadCalled(executor, run, setup.blocks);
      note(terminal, `Run ${run.id} of ${run.getSnapshot().workflow}`);
      const progress = showProgress(run, terminal, { since: run.getSnapshot(), output });
      await run.signal(name, value === undefined ? null : fitAnswer(value, SPELLED), { signal, ...(id === undefined ? {} : { id }) });
      return driveRun(run, run.settled({ signal }), { call, terminal, answers, progress });
    });
  },
};
