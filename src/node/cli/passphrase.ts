import { WorkflowError } from "../../index.ts";
import type { Terminal } from "./terminal.ts";

/** Where the passphrase of a run file is taken from, if it is there: arguments can be seen by other processes, and stay in a shell's history. */
const PASSPHRASE_VARIABLE = "WAVEPOINT_PASSPHRASE";

/**
 * The passphrase of a run file: from the environment, else from whoever sits at the terminal, not shown, and twice where it is a new one. Throws
 * `COMMAND_INVALID`.
 */
export async function readPassphrase(
  terminal: Terminal,
  { isNew, environment = process.env }: { readonly isNew: boolean; readonly environment?: NodeJS.ProcessEnv },
): Promise<string> {
  const given = environment[PASSPHRASE_VARIABLE];
  if (given) return given;
  const typed = await ask(terminal, "The passphrase of the file");
  if (typed === undefined) {
    throw new WorkflowError("COMMAND_INVALID", `The file needs a passphrase. Set ${PASSPHRASE_VARIABLE} in the environment.`);
  }
  if (isNew && (await ask(terminal, "The same passphrase again")) !== typed) {
    throw new WorkflowError("COMMAND_INVALID", "The two passphrases are not the same. Nothing was written.");
  }
  return typed;
}

async function ask(terminal: Terminal, text: string): Promise<string | undefined> {
  const answer = terminal.interactive ? await terminal.ask({ kind: "secret", text, choices: [] }) : undefined;
  return typeof answer === "string" && answer !== "" ? answer : undefined;
}
