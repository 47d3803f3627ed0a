import { renameSync, rmSync, writeFileSync } from "node:fs";
import { WorkflowError, type ExportOptions } from "../../index.ts";
import type { Call, CommandOption } from "./command.ts";
import { readPassphrase } from "./passphrase.ts";
import { plainText } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";
import { reasonOf } from "./workflow-file.ts";

/** Options of the commands that write a run file. */
export const RUN_FILE_OPTIONS: readonly CommandOption[] = [
  {
    name: "output",
    value: "FILE",
    about: "Write to this file, which only you may read, in place of what it held, and not to standard output.",
  },
  { name: "drafts", about: "Take along what people typed and did not send." },
  {
    name: "passphrase",
    about: "Seal the file with a passphrase: the one in the environment variable WAVEPOINT_PASSPHRASE, else you are asked for it.",
  },
];

/** What {@link RUN_FILE_OPTIONS} say. */
export async function readExportOptions(call: Call, terminal: Terminal): Promise<ExportOptions> {
  return {
    drafts: call.has("drafts"),
    ...(call.has("passphrase") ? { passphrase: await readPassphrase(terminal, { of: "file", isNew: true }) } : {}),
  };
}

/** Writes a run file to the path of the command. Throws `COMMAND_INVALID`. */
export function writeRunFile(text: string, call: Call, terminal: Terminal): void {
  const path = call.value("output");
  if (path === undefined) {
    terminal.out.write(text);
    return;
  }
  writeTextFile(path, text);
  note(terminal, `Wrote ${plainText(path)}.`);
}

/** Writes a file that only this user may read; it is only visible once it is complete. Throws `COMMAND_INVALID`. */
export function writeTextFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.part`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flush: true });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new WorkflowError("COMMAND_INVALID", `${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}

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
