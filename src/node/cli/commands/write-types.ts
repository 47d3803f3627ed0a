import { dirname, resolve } from "node:path";
import { WorkflowError, type Workflow } from "../../../index.ts";
import { EXIT } from "../exit-code.ts";
import { blocksOf, readBlockModules } from "../block-modules.ts";
import { BLOCKS_OPTION, type Command } from "../command.ts";
import { typeDeclarations } from "../type-declarations.ts";
import { reportInvalid } from "../validation-report.ts";
import { readWorkflowFile } from "../workflow-file.ts";
import { isCaseFile } from "../../list-workflow-files.ts";
import { writeOutput } from "../write-output.ts";

/** Files that one call takes. */
const MAX_FILES = 1_000;

export const typesCommand: Command = {
  name: "types",
  usage: "FILE... [OPTIONS]",
  summary: "Write declarations for TypeScript, which then knows the workflows of these files by their names.",
  about: [
    'With them executor.start("NAME", inputs) knows the inputs, and its run the outputs and what answers its questions. The types of --blocks are known to it too. Let your tsconfig include the file. Write it again when a workflow has changed: the same workflows give the same text. Files of cases are left out.',
  ],
  takes: { least: 1, most: MAX_FILES },
  options: [
    { name: "output", value: "FILE", about: "Write to this file, such as workflows.d.ts, and not to standard output." },
    BLOCKS_OPTION,
  ],
  async run(call, terminal) {
    const modules = await readBlockModules(call);
    const blocks = blocksOf(modules);
    const output = call.value("output");
    const workflows = new Map<string, Workflow>();
    for (const path of call.places.filter((place) => !isCaseFile(place))) {
      const file = await readWorkflowFile(path, blocks);
      const { workflow } = file;
      if (!workflow) return reportInvalid(file, call, terminal);
      if (workflows.has(workflow.name))
        throw new WorkflowError("WORKFLOW_DUPLICATE", `Two of these files hold a workflow named "${workflow.name}". Rename one of them.`);
      workflows.set(workflow.name, workflow);
    }
    writeOutput(typeDeclarations([...workflows.values()], modules, dirname(resolve(output ?? "workflows.d.ts"))), output, terminal);
    return EXIT.completed;
  },
};
