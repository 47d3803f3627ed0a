import { createExecutor, isWorkflowError, type Problem } from "../../../index.ts";
import { memoryStore } from "../../../store/memory.ts";
import { JSON_OPTION, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { plainJson } from "../plain-text.ts";
import { problemLines } from "../problem-lines.ts";
import { countText } from "../validation-report.ts";
import { readWorkflowFile, type WorkflowFile } from "../workflow-file.ts";

export const validateCommand: Command = {
  name: "validate",
  usage: "FILE... [--json]",
  summary: "Check workflows and report everything that is wrong, with line and column.",
  about: ["Nothing is run or stored. Warnings do not keep a workflow from running; errors give exit code 2."],
  takes: { least: 1, most: Infinity },
  options: [JSON_OPTION],
  async run(call, { out }) {
    const files = await Promise.all(call.places.map(readWorkflowFile).map(checkBlocks));
    const valid = files.every(({ workflow }) => workflow !== undefined);
    if (call.has("json")) {
      const checked = files.map(({ path, workflow, problems }) => ({ file: path, valid: workflow !== undefined, problems }));
      out.write(`${plainJson({ status: valid ? "valid" : "invalid", files: checked })}\n`);
    } else {
      for (const { path, problems } of files) {
        for (const problem of problems) for (const line of problemLines(problem, out)) out.write(`${line}\n`);
        out.write(`${path}: ${countText(problems)}\n`);
      }
    }
    return valid ? EXIT.completed : EXIT.invalid;
  },
};

/** Asks the block types too; what they check may take time, patterns for example. */
async function checkBlocks(file: WorkflowFile): Promise<WorkflowFile> {
  if (!file.workflow) return file;
  try {
    await createExecutor({ store: memoryStore() }).load(file.workflow);
    return file;
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    const problem: Problem = { severity: "error", ...error.toJSON(), source: file.path };
    return { path: file.path, problems: [...file.problems, problem] };
  }
}
