import { STORE_OPTIONS, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { readExportOptions, RUN_FILE_OPTIONS, writeRunFile } from "../write-output.ts";
import { withExecutor } from "../workspace.ts";

export const exportCommand: Command = {
  name: "export",
  usage: "RUN [OPTIONS]",
  summary: "Write a run to one file, with the runs it called and the workflows it needs.",
  about: [
    "The file can be imported into any other store, in a browser too. The run stays here and may go on: use wavepoint transfer to hand it over for good.",
    "What the run was given and what it produced stands in the file as it is, secrets excepted. With --passphrase it can be read only with that passphrase.",
  ],
  takes: { least: 1, most: 1 },
  options: [...RUN_FILE_OPTIONS, ...STORE_OPTIONS],
  async run(call, terminal) {
    const options = await readExportOptions(call, terminal);
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const { id } = await executor.open(await fullId(executor, call.places[0]!));
      writeRunFile(await executor.runs.export(id, options), call, terminal);
      return EXIT.completed;
    });
  },
};
