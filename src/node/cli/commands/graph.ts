import { writeFileSync } from "node:fs";
import { graphMermaid, graphSvg, graphText } from "../../../graph/index.ts";
import { WorkflowError, type Workflow } from "../../../index.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { plainText } from "../plain-text.ts";
import { note } from "../terminal.ts";
import { reportInvalid } from "../validation-report.ts";
import { readWorkflowFile, reasonOf } from "../workflow-file.ts";

const FORMATS: ReadonlyMap<string, (workflow: Workflow) => string> = new Map([
  ["text", graphText],
  ["mermaid", graphMermaid],
  ["svg", graphSvg],
]);

export const graphCommand: Command = {
  name: "graph",
  usage: "FILE [OPTIONS]",
  summary: "Show the waves of a workflow and what depends on what, as text, for Mermaid or as a picture.",
  about: ["Waves are columns. The picture takes the colour of the text around it, and can stand in a page as it is."],
  takes: { least: 1, most: 1 },
  options: [
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
    const file = readWorkflowFile(path);
    if (!file.workflow) return reportInvalid(file, call, terminal);
    const graph = draw(file.workflow);
    if (output === undefined) terminal.out.write(plainText(graph));
    else {
      writeGraph(output, graph);
      note(terminal, `Wrote ${plainText(output)}.`);
    }
    return EXIT.completed;
  },
};

function formatOf(output: string | undefined): string {
  if (output?.endsWith(".svg")) return "svg";
  return output && /\.(?:mmd|mermaid)$/.test(output) ? "mermaid" : "text";
}

function readFormat(name: string): (workflow: Workflow) => string {
  const draw = FORMATS.get(name);
  if (draw) return draw;
  throw new WorkflowError("COMMAND_INVALID", `"${name}" is no format of a graph. Use one of ${[...FORMATS.keys()].join(", ")}.`);
}

function writeGraph(path: string, graph: string): void {
  try {
    writeFileSync(path, graph);
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}
