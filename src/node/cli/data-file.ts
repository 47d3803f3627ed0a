import { parseDocument } from "yaml";
import { WorkflowError } from "../../index.ts";
import { readTextFile } from "./workflow-file.ts";

/** Aliases a file may use: enough for every honest one, too few for a bomb. */
const MAX_ALIASES = 100;

/** What a YAML or JSON file holds. Throws `COMMAND_INVALID` with the place of the first mistake. */
export function readDataFile(path: string): unknown {
  const document = parseDocument(readTextFile(path), { prettyErrors: true, version: "1.2" });
  const [error] = document.errors;
  if (error) {
    const [start] = error.linePos ?? [];
    throw new WorkflowError(
      "COMMAND_INVALID",
      `This is no readable YAML or JSON: ${error.message.split("\n")[0]!.replace(/ at line .*/, "")}.`,
      {
        place: { source: path, ...(start ? { line: start.line, column: start.col } : {}) },
      },
    );
  }
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}
