import { JSON_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { plainJson } from "../plain-text.ts";
import { runDocument } from "../run-report.ts";
import { note } from "../terminal.ts";
import { commandText, withExecutor } from "../workspace.ts";

export const stopCommand: Command = {
  name: "stop",
  usage: "RUN [OPTIONS]",
  summary: "Stop a run for now. It continues when you resume it.",
  about: [
    "Blocks that are executing run again then. A process that executes the run learns of it when it writes next, as a block ends. Answers and signals are kept meanwhile, and deadlines go on. A run that has ended cannot be stopped.",
  ],
  takes: { least: 1, most: 1 },
  options: [...STORE_OPTIONS, JSON_OPTION],
  run(call, terminal) {
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const run = await executor.open(await fullId(executor, call.places[0]!));
      await run.stop();
      if (call.has("json")) terminal.out.write(`${plainJson(runDocument(run.getSnapshot()))}\n`);
      else {
        note(terminal, `Run ${run.id} is stopped for now.`);
        note(terminal, `Go on with: ${commandText(call, "resume", run.id)}`);
      }
      return EXIT.completed;
    });
  },
};
