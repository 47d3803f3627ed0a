import { mkdirSync } from "node:fs";
import { WorkflowError } from "../../../index.ts";
import { nodeFiles } from "../../files/node-files.ts";
import { JSON_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { plainJson, plainLine, plainText, tableLines } from "../plain-text.ts";
import { note } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";
import { reasonOf } from "../workflow-file.ts";

export const filesCommand: Command = {
  name: "files",
  usage: "RUN [OPTIONS]",
  summary: "List the files that the blocks of a run wrote to it, or write them to a folder.",
  about: ["Nothing is executed. The files of a run that a block called are those of RUN/BLOCK."],
  takes: { least: 1, most: 1 },
  options: [
    {
      name: "out",
      value: "DIR",
      about: "Write the files to this folder, in place of those of the same names. It is made where it is missing.",
    },
    ...STORE_OPTIONS,
    JSON_OPTION,
  ],
  run(call, terminal) {
    const { out } = terminal;
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const run = await executor.open(await fullId(executor, call.places[0]!));
      const files = await run.files();
      if (call.has("json")) out.write(`${plainJson(files)}\n`);
      else {
        const rows = files.map(({ name, size, type, block }) => [plainLine(name), `${size} B`, plainLine(type), block]);
        for (const line of tableLines(rows)) out.write(`${line}\n`);
      }
      const folder = call.value("out");
      if (folder === undefined) return EXIT.completed;
      makeFolder(folder);
      const target = nodeFiles({ root: folder });
      for (const { name } of files) await target.write(name, (await run.readFile(name)).bytes, { overwrite: true });
      note(terminal, `Wrote ${files.length} ${files.length === 1 ? "file" : "files"} to ${plainText(folder)}.`);
      return EXIT.completed;
    });
  },
};

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `The folder ${plainText(folder)} cannot be made: ${reasonOf(error)}.`, { cause: error });
  }
}
