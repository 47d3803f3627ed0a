import { WorkflowError } from "../../index.ts";
import type { Terminal } from "./terminal.ts";

/** Where passphrases are taken from, if they are there: arguments can be seen by other processes, and stay in a shell's history. */
const VARIABLES = { file: "WAVEPOINT_PASSPHRASE", store: "WAVEPOINT_STORE_PASSPHRASE" } as const;

export interface PassphraseNeed {
  readonly of: keyof typeof VARIABLES;
  readonly isNew: boolean;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Returns the passphrase of a run file or of a store: from the environment, else typed hidden at the terminal, and twice if it is new. Asks for none that is
 * not needed. Throws `COMMAND_INVALID`.
 */
export function readPassphrase(terminal: Terminal, need: PassphraseNeed): Promise<string>;
export function readPassphrase(terminal: Terminal, need: PassphraseNeed & { readonly isNeeded: boolean }): Promise<string | undefined>;
export async function readPassphrase(
  terminal: Terminal,
  { of, isNew, isNeeded = true, environment = process.env }: PassphraseNeed & { readonly isNeeded?: boolean },
): Promise<string | undefined> {
  const given = environment[VARIABLES[of]];
  if (given || !isNeeded) return given || undefined;
  const typed = await ask(terminal, `The passphrase of the ${of}`);
  if (typed === undefined) {
    throw new WorkflowError("COMMAND_INVALID", `The ${of} needs a passphrase. Set ${VARIABLES[of]} in the environment.`);
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
