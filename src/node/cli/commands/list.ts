import { createRegistry, type WorkflowSummary } from "../../../registry/index.ts";
import { loadDirectories } from "../../index.ts";
import { readBlocks, withBuiltin } from "../block-modules.ts";
import { BLOCKS_OPTION, JSON_OPTION, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { noteFailures } from "../problem-lines.ts";
import { plainJson, plainLine, shorten, tableLines } from "../plain-text.ts";
import { note } from "../terminal.ts";

/** Characters of a description in the list. */
const MAX_TEXT = 60;

export const listCommand: Command = {
  name: "list",
  usage: "[DIR...] [OPTIONS]",
  summary: "List the workflows of directories and of the folders in them.",
  about: [
    "Without DIR: those of the working directory. Where workflows share a name, the directory that stands first has priority. Hidden folders, node_modules and links are passed over; broken files are named and left out.",
  ],
  takes: { least: 0, most: Infinity },
  options: [
    { name: "tag", value: "TAG", several: true, about: "Only workflows with this tag; given several times, with all of them." },
    BLOCKS_OPTION,
    JSON_OPTION,
  ],
  async run(call, terminal) {
    const directories = call.places.length > 0 ? call.places : ["."];
    const registry = createRegistry({ blocks: withBuiltin(await readBlocks(call)), reducers: {} });
    const { skipped, failed } = await loadDirectories(registry, directories, { signal: terminal.signal });
    const workflows = registry.list({ tags: call.values("tag") });
    if (call.has("json")) terminal.out.write(`${plainJson({ workflows, skipped, failed })}\n`);
    else {
      if (workflows.length > 0) {
        for (const line of tableLines([["NAME", "BLOCKS", "WAVES", "TAGS", ""], ...workflows.map(rowOf)])) terminal.out.write(`${line}\n`);
      } else note(terminal, "No such workflows here.");
      for (const { name, source, other } of skipped) note(terminal, `${source} is left out: ${other} has priority as "${name}".`);
      noteFailures(failed, terminal);
    }
    return registry.workflows().length === 0 && failed.length > 0 ? EXIT.invalid : EXIT.completed;
  },
};

function rowOf({ name, totalBlocks, totalWaves, tags, description = "" }: WorkflowSummary): readonly string[] {
  return [name, String(totalBlocks), String(totalWaves), plainLine(tags.join(", ")), shorten(plainLine(description), MAX_TEXT)];
}
