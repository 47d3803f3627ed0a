import type { Call } from "./command.ts";
import { readGrants } from "./grants.ts";
import { outputLines, type OutputLines } from "./output-lines.ts";
import { commandSecrets } from "./secrets.ts";
import type { Terminal } from "./terminal.ts";
import type { ExecutorSetup } from "./workspace.ts";

/** What an executor of a command that executes blocks is made with. */
export interface Execution {
  readonly setup: Required<Pick<ExecutorSetup, "grants" | "secrets" | "onEvent">>;
  readonly output: OutputLines;
}

/** Reads what blocks may touch, and prepares for what they write and for the secrets they need. Throws `COMMAND_INVALID` and `HOST_INVALID`. */
export function prepareExecution(call: Call, terminal: Terminal): Execution {
  const output = outputLines();
  return { output, setup: { grants: readGrants(call), secrets: commandSecrets(call, terminal), onEvent: output.take } };
}
