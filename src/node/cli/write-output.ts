import { writeFileSync } from "node:fs";
import { WorkflowError } from "../../index.ts";
import { plainText } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";
import { reasonOf } from "./workflow-file.ts";

/** Writes a text to the file that was named, else to standard output. Throws `COMMAND_INVALID`. */
export function writeOutput(text: string, output: string | undefined, terminal: Terminal): void {
  if (output === undefined) {
    terminal.out.write(plainText(text));
    return;
  }
  try {
    writeFileSync(output, text);
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `${output} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
  note(terminal, `Wrote ${plainText(output)}.`);
}
