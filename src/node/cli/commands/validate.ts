import { readBlocks } from "../block-modules.ts";
import { checkFiles } from "../checked-files.ts";
import { BLOCKS_OPTION, JSON_OPTION, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { plainJson, plainText } from "../plain-text.ts";
import { problemLines } from "../problem-lines.ts";
import { countText } from "../validation-report.ts";

export const validateCommand: Command = {
  name: "validate",
  usage: "FILE_OR_DIR... [OPTIONS]",
  summary: "Check workflows and report everything that is wrong, with line and column.",
  about: [
    "Of a directory, all workflows in it and in its folders are checked, and whether what they call is there and does not call them back.",
    "Files of cases (claim.cases.yaml) are left out: the command test runs them.",
    "Nothing is run or stored. Warnings do not keep a workflow from running; errors give exit code 2.",
  ],
  takes: { least: 1, most: Infinity },
  options: [BLOCKS_OPTION, JSON_OPTION],
  async run(call, { out, signal }) {
    const files = await checkFiles(call.places, { blocks: await readBlocks(call), signal });
    const broken = files.filter(({ valid }) => !valid).length;
    if (call.has("json")) {
      const checked = files.map(({ path, valid, problems }) => ({ file: path, valid, problems }));
      out.write(`${plainJson({ status: broken === 0 ? "valid" : "invalid", files: checked })}\n`);
    } else {
      for (const { path, problems } of files) {
        for (const problem of problems) for (const line of problemLines(problem, out)) out.write(`${line}\n`);
        out.write(`${plainText(path)}: ${countText(problems)}\n`);
      }
      if (files.length !== 1) out.write(`${files.length} files, ${broken} of them with errors\n`);
    }
    return broken === 0 ? EXIT.completed : EXIT.invalid;
  },
};
