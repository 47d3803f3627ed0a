import { existsSync } from "node:fs";
import { graphMermaid, graphSvg, graphText } from "../../../graph/index.ts";
import { WorkflowError, type Workflow } from "../../../index.ts";
import { readBlocks } from "../block-modules.ts";
import { BLOCKS_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { reportInvalid } from "../validation-report.ts";
import { readWorkflowFile } from "../workflow-file.ts";
import { withExecutor } from "../workspace.ts";
import { writeOutput } from "../write-output.ts";

const FORMATS: ReadonlyMap<string, (workflow: Workflow) => string> = new Map([
  ["text", graphText],
  ["mermaid", graphMermaid],
  ["svg", graphSvg],
]);

export const graphCommand: Command = {
  name: "graph",
  usage: "FILE_OR_RUN [OPTIONS]",
  summary: "Show the waves of a workflow, or of a run, and what depends on what, as text, for Mermaid or as a picture.",
  about: [
    "Waves are columns. The picture takes the colour of the text around it, and can stand in a page as it is.",
    "Of a run it shows the workflow as the run has it, with the blocks that were added to it.",
  ],
  takes: { least: 1, most: 1 },
  options: [
    BLOCKS_OPTION,
    ...STORE_OPTIONS,
    {
      name: "format",
      value: "FORMAT",
      about: `One of ${[...FORMATS.keys()].join(", ")}. Default: what the name after --output ends in, else text.`,
    },
    { name: "output", value: "FILE", about: "Write to this file, in place of what it held, and not to standard output." },
  ],
  async run(call, terminal) {
    const [path] = call.places as readonly [string];
    const output = call.value("output");
    const draw = readFormat(call.value("format") ?? formatOf(output));
    if (isRunId(path)) {
      return withExecutor({ call, terminal }, {}, async (executor) =>
        give(draw(await (await executor.open(await fullId(executor, path))).definition())),
      );
    }
    const file = await readWorkflowFile(path, await readBlocks(call));
    return file.workflow ? give(draw(file.workflow)) : reportInvalid(file, call, terminal);

    function give(graph: string): ExitCode {
      writeOutput(graph, output, terminal);
      return EXIT.completed;
    }
  },
};

/** What is no file of that name. The run that a block called is `RUN/BLOCK`. */
function isRunId(place: string): boolean {
  return place.startsWith("run_") && !existsSync(place);
}

function formatOf(output: string | undefined): string {
  if (output?.endsWith(".svg")) return "svg";
  return output && /\.(?:mmd|mermaid)$/.test(output) ? "mermaid" : "text";
}

function readFormat(name: string): (workflow: Workflow) => string {
  const draw = FORMATS.get(name);
  if (draw) return draw;
  throw new WorkflowError("COMMAND_INVALID", `"${name}" is no format of a graph. Use one of ${[...FORMATS.keys()].join(", ")}.`);
}
