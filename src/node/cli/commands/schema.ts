import { builtinBlocks } from "../../../blocks.ts";
import { workflowSchema } from "../../../yaml/index.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";

export const schemaCommand: Command = {
  name: "schema",
  usage: "",
  summary: "Print the JSON Schema of workflow files, for editors.",
  about: [
    "It knows the built-in block types. The package holds the same as wavepoint/schema.json. A workflow names it in its first line: # yaml-language-server: $schema=PATH",
  ],
  takes: { least: 0, most: 0 },
  options: [],
  async run(_, { out }) {
    out.write(`${JSON.stringify(workflowSchema(builtinBlocks), null, 2)}\n`);
    return EXIT.completed;
  },
};
