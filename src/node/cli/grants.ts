import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { WorkflowError, type Capability, type ErrorData, type Grants } from "../../index.ts";
import { allowHosts } from "../../network.ts";
import { nodeFiles, nodeShell } from "../index.ts";
import { reasonOf } from "./workflow-file.ts";
import { readBlocks } from "./block-modules.ts";
import { type ExecutorSetup, storeAddress } from "./workspace.ts";
import type { Call } from "./command.ts";
import { outputLines, type OutputLines } from "./output-lines.ts";
import { commandSecrets } from "./secrets.ts";
import type { Terminal } from "./terminal.ts";

/** Models are objects of a program: the command line has none to give. */
const FLAGS: { readonly [capability in Exclude<Capability, "models">]: string } = {
  files: "--allow-files DIR",
  shell: "--allow-shell DIR",
  network: "--allow-host HOST",
};

/** The grants that the options of a command name. Throws `COMMAND_INVALID` for a directory that is none, and `HOST_INVALID`. */
function readGrants(call: Call): Grants {
  const files = readDirectory(call, "allow-files");
  const shell = readDirectory(call, "allow-shell");
  const hosts = call.values("allow-host");
  return {
    ...(files === undefined ? {} : { files: nodeFiles({ root: files, reserved: storeFolders(call) }) }),
    ...(shell === undefined ? {} : { shell: nodeShell({ root: shell }) }),
    ...(hosts.length === 0 ? {} : { network: allowHosts(hosts) }),
  };
}

/** Returns the error with the option that grants the missing capability, in place of the advice for programs. */
export function withGrantAdvice(error: ErrorData): ErrorData {
  const { block, type, capability } = error.details ?? {};
  if (error.code !== "CAPABILITY_MISSING" || typeof capability !== "string" || !Object.hasOwn(FLAGS, capability)) return error;
  const flag = FLAGS[capability as keyof typeof FLAGS];
  return {
    ...error,
    message: `Block "${String(block)}" of type ${String(type)} needs what was not allowed. If you trust the workflow, add ${flag}.`,
  };
}

function readDirectory(call: Call, option: string): string | undefined {
  const path = call.value(option);
  if (path === undefined) return undefined;
  try {
    if (statSync(path).isDirectory()) return path;
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `--${option} ${path}: ${reasonOf(error)}. Name a directory.`, { cause: error });
  }
  throw new WorkflowError("COMMAND_INVALID", `--${option} ${path}: this is no directory. Name one.`);
}

/** The directory of the runs, if the store is one. */
function storeFolders(call: Call): readonly string[] {
  const address = storeAddress(call);
  if (address.startsWith("file://")) return [fileURLToPath(address)];
  return [resolve(address.replace(/^file:/, ""))];
}

/** What an executor of a command that executes blocks is made with. */
export interface Execution {
  readonly setup: Required<Pick<ExecutorSetup, "blocks" | "grants" | "secrets" | "onEvent">>;
  readonly output: OutputLines;
}

/** Reads the block types and their grants, and prepares their output and their secrets. Throws `COMMAND_INVALID` and `HOST_INVALID`. */
export async function prepareExecution(call: Call, terminal: Terminal): Promise<Execution> {
  const output = outputLines();
  const grants = readGrants(call);
  return { output, setup: { blocks: await readBlocks(call), grants, secrets: commandSecrets(call, terminal), onEvent: output.take } };
}
