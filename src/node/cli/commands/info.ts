import { existsSync } from "node:fs";
import { createRegistry, type Registry, type WorkflowInfo } from "../../../registry/index.ts";
import { loadDirectories } from "../../index.ts";
import { readBlocks, withBuiltin } from "../block-modules.ts";
import { BLOCKS_OPTION, JSON_OPTION, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { infoLines } from "../info-lines.ts";
import { noteFailures } from "../problem-lines.ts";
import { plainJson } from "../plain-text.ts";
import type { Terminal } from "../terminal.ts";
import { reportInvalid } from "../validation-report.ts";
import { readWorkflowFile } from "../workflow-file.ts";

export const infoCommand: Command = {
  name: "info",
  usage: "NAME_OR_FILE [OPTIONS]",
  summary: "Tell all about a workflow: inputs, blocks by wave, outputs.",
  about: ["A name is looked for in the directories given with --workflows and in their folders, else in the working directory."],
  takes: { least: 1, most: 1 },
  options: [
    {
      name: "workflows",
      value: "DIR",
      several: true,
      about: "A directory with workflows. May be given several times; the first has priority.",
    },
    BLOCKS_OPTION,
    JSON_OPTION,
  ],
  async run(call, terminal) {
    const [place] = call.places as readonly [string];
    const blocks = await readBlocks(call);
    const registry = createRegistry({ blocks: withBuiltin(blocks), reducers: {} });
    let name = place;
    if (isFile(place)) {
      const file = await readWorkflowFile(place, blocks);
      if (!file.workflow) return reportInvalid(file, call, terminal);
      registry.add(file.workflow, { source: place });
      name = file.workflow.name;
    } else {
      const directories = call.values("workflows");
      await search(registry, name, { directories: directories.length > 0 ? directories : ["."], terminal });
    }
    const info: WorkflowInfo = registry.info(name);
    if (call.has("json")) terminal.out.write(`${plainJson(info)}\n`);
    else for (const line of infoLines(info, terminal.out)) terminal.out.write(`${line}\n`);
    return EXIT.completed;
  },
};

/** A broken file may be the one that the person looks for, so it is named if nothing was found. */
async function search(
  registry: Registry,
  name: string,
  { directories, terminal }: { readonly directories: readonly string[]; readonly terminal: Terminal },
): Promise<void> {
  const { failed } = await loadDirectories(registry, directories, { signal: terminal.signal });
  if (!registry.has(name)) noteFailures(failed, terminal);
}

function isFile(place: string): boolean {
  return /\.(?:ya?ml|[cm]?[jt]s)$|[/\\]/.test(place) || existsSync(place);
}
