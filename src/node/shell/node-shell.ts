import { resolve } from "node:path";
import { assertVariableName, isOwnVariable } from "../../core/blocks/shell/environment.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import { MAX_COMMAND_OUTPUT_BYTES } from "../../core/model/limits.ts";
import type { Shell, ShellCall } from "../../core/ports/shell.ts";
import { runProcess } from "./run-process.ts";
import { openWorkingFolder } from "./working-folder.ts";
import { assertOptions } from "../../core/model/assert-options.ts";

/** The folder and the environment of commands. */
export interface NodeShellOptions {
  /** The folder in which commands start, or below it. Relative to the current directory at the time of the call. It is no cage. */
  readonly root: string;
  /** Variables that every command sees. */
  readonly env?: { readonly [name: string]: string };
  /** Names of variables that commands inherit from this process, in addition to the few that they need. */
  readonly inherit?: readonly string[];
}

/**
 * Commands on this machine, to grant to an executor. Each runs in its own process group, with an empty standard input and a small environment; no process of
 * it remains when it ends. A command can do what the user of this process can: grant it to workflows you trust.
 */
export function nodeShell(options: NodeShellOptions): Shell {
  assertOptions("nodeShell", options, { root: true, env: true, inherit: true });
  const { root, env = {}, inherit = [] } = options;
  const base = resolve(root);
  return {
    async run(call) {
      const [program, ...args] = commandLine(call.command);
      for (const name of Object.keys(call.env ?? {})) if (!isOwnVariable(name)) assertVariableName(name);
      const folder = await openWorkingFolder(base, call.workingDir ?? ".");
      try {
        return await runProcess({
          ...call,
          program,
          args,
          cwd: folder.path,
          env: { ...hostEnvironment(inherit), ...env, ...call.env },
          maxBytes: Math.min(call.maxOutputBytes ?? MAX_COMMAND_OUTPUT_BYTES, MAX_COMMAND_OUTPUT_BYTES),
        });
      } finally {
        await folder.close();
      }
    },
  };
}

function commandLine(command: ShellCall["command"]): readonly [program: string, ...args: string[]] {
  if (typeof command === "string") {
    if (process.platform !== "win32") return ["/bin/sh", "-c", command];
    throw new WorkflowError("BLOCK_FAILED", 'There is no POSIX shell on Windows. Give the program and its arguments in "argv".');
  }
  const [program = "", ...args] = command;
  if (program === "") throw new WorkflowError("BLOCK_INPUT_INVALID", 'The first item of "argv" is empty. Give the name of a program.');
  if (command.some((argument) => argument.includes("\0"))) {
    throw new WorkflowError("BLOCK_INPUT_INVALID", 'An item of "argv" holds a NUL character, which no program can be given. Remove it.');
  }
  if (process.platform === "win32" && isBatchFile(program)) {
    throw new WorkflowError(
      "SHELL_UNSAFE",
      `${JSON.stringify(program)} is a batch file, which parses its arguments. Run a program instead.`,
    );
  }
  return [program, ...args];
}

/** Windows ignores dots and blanks at the end of a name. */
function isBatchFile(program: string): boolean {
  return /\.(?:bat|cmd)[. ]*$/i.test(program);
}

/** Variables of the host's own environment that a command sees: where programs, a home and temporary files are, and in what language to write. */
const INHERITED = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"];
/** Without these hardly a program of Windows starts. */
const INHERITED_ON_WINDOWS = ["SystemRoot", "SystemDrive", "PATHEXT", "ComSpec", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP"];

/** The environment that commands start with: little of the host's own, so that no key or token in it reaches a workflow. */
function hostEnvironment(inherit: readonly string[]): Record<string, string> {
  const names = [...INHERITED, ...(process.platform === "win32" ? INHERITED_ON_WINDOWS : []), ...inherit];
  const environment: Record<string, string> = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
