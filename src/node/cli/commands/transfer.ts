import { WorkflowError } from "../../../index.ts";
import { STORE_OPTIONS, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { readExportOptions, RUN_FILE_OPTIONS, writeRunFile } from "../write-output.ts";
import { withExecutor } from "../workspace.ts";

export const transferCommand: Command = {
  name: "transfer",
  usage: "RUN --to PLACE [OPTIONS]",
  summary: "Move a run to one file: it no longer runs here, and lists name its new place.",
  about: [
    "What is here can still be read. The store that imports the file has the run; imported here, it comes back. Where the file was lost, the same command writes it again.",
  ],
  takes: { least: 1, most: 1 },
  options: [
    { name: "to", value: "PLACE", about: "Where it goes, in your words: shown where the run is asked to go on here." },
    ...RUN_FILE_OPTIONS,
    ...STORE_OPTIONS,
  ],
  async run(call, terminal) {
    const to = call.value("to");
    if (to === undefined) throw new WorkflowError("COMMAND_INVALID", "Say where the run goes: --to PLACE.");
    const options = await readExportOptions(call, terminal);
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const { id } = await executor.open(await fullId(executor, call.places[0]!));
      writeRunFile(await executor.runs.transfer(id, { ...options, to }), call, terminal);
      return EXIT.completed;
    });
  },
};
