import { readBlocks, withBuiltin } from "../block-modules.ts";
import { workflowSchema } from "../../../yaml/index.ts";
import { BLOCKS_OPTION, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";

export const schemaCommand: Command = {
  name: "schema",
  usage: "[OPTIONS]",
  summary: "Print the JSON Schema of workflow files, for editors.",
  about: [
    "It knows the built-in block types, and those of --blocks. The package holds the same as wavepoint/schema.json. A workflow names it in its first line: # yaml-language-server: $schema=PATH",
  ],
  takes: { least: 0, most: 0 },
  options: [BLOCKS_OPTION],
  async run(call, { out }) {
    out.write(`${JSON.stringify(workflowSchema(withBuiltin(await readBlocks(call))), null, 2)}\n`);
    return EXIT.completed;
  },
};
