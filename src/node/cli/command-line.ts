import { adviseName } from "../../core/model/suggestions.ts";
import { isWorkflowError, WorkflowError, type ErrorData } from "../../index.ts";
import { withBlocksAdvice } from "./block-modules.ts";
import type { Command } from "./command.ts";
import { bulkCommand } from "./commands/bulk.ts";
import { cancelCommand } from "./commands/cancel.ts";
import { cleanupCommand } from "./commands/cleanup.ts";
import { completionCommand } from "./commands/completion.ts";
import { copyCommand } from "./commands/copy.ts";
import { deleteCommand } from "./commands/delete.ts";
import { devCommand } from "./commands/dev.ts";
import { exportCommand } from "./commands/export.ts";
import { filesCommand } from "./commands/files.ts";
import { forkCommand } from "./commands/fork.ts";
import { graphCommand } from "./commands/graph.ts";
import { importCommand } from "./commands/import.ts";
import { infoCommand } from "./commands/info.ts";
import { initCommand } from "./commands/init.ts";
import { listCommand } from "./commands/list.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { metricsCommand } from "./commands/metrics.ts";
import { resumeCommand } from "./commands/resume.ts";
import { reviseCommand } from "./commands/revise.ts";
import { runCommand } from "./commands/run.ts";
import { testCommand } from "./commands/run-cases.ts";
import { runsCommand } from "./commands/runs.ts";
import { schemaCommand } from "./commands/schema.ts";
import { serveCommand } from "./commands/serve.ts";
import { showCommand } from "./commands/show.ts";
import { signalCommand } from "./commands/signal.ts";
import { stopCommand } from "./commands/stop.ts";
import { transferCommand } from "./commands/transfer.ts";
import { typesCommand } from "./commands/write-types.ts";
import { validateCommand } from "./commands/validate.ts";
import { workerCommand } from "./commands/worker.ts";
import { EXIT, exitCodeOfError, type ExitCode } from "./exit-code.ts";
import { helpOf, helpOfCommand } from "./help.ts";
import { withGrantAdvice } from "./grants.ts";
import { parseCall } from "./parse-call.ts";
import { plainJson } from "./plain-text.ts";
import { problemLines } from "./problem-lines.ts";
import { withSecretAdvice } from "./secrets.ts";
import type { Terminal } from "./terminal.ts";
import { readVersion } from "./own-package.ts";

/** In the order that help lists them. */
export const COMMANDS: readonly Command[] = [
  initCommand,
  devCommand,
  runCommand,
  resumeCommand,
  runsCommand,
  showCommand,
  signalCommand,
  stopCommand,
  cancelCommand,
  deleteCommand,
  forkCommand,
  reviseCommand,
  filesCommand,
  exportCommand,
  importCommand,
  transferCommand,
  bulkCommand,
  copyCommand,
  cleanupCommand,
  metricsCommand,
  workerCommand,
  serveCommand,
  mcpCommand,
  listCommand,
  infoCommand,
  validateCommand,
  testCommand,
  graphCommand,
  schemaCommand,
  typesCommand,
  completionCommand(() => COMMANDS),
];

/** Executes the command in the arguments of the process. Returns the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    const data = withRunAdvice(withBlocksAdvice(withGrantAdvice(withSecretAdvice(error.toJSON()))));
    if (beforeDashes(args).includes("--json")) terminal.out.write(`${plainJson({ status: "error", error: data })}\n`);
    else for (const line of problemLines(data, terminal.err)) terminal.err.write(`${line}\n`);
    return exitCodeOfError(error.code);
  }
}

/** Returns the error with the command that lists runs: people may type a workflow's name in place of a run's id. */
function withRunAdvice(error: ErrorData): ErrorData {
  return error.code === "RUN_NOT_FOUND" ? { ...error, message: `${error.message} See wavepoint runs for the runs that are there.` } : error;
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === "--version") {
    terminal.out.write(`${readVersion()}\n`);
    return EXIT.completed;
  }
  if (name === undefined || name === "--help" || name === "-h") {
    (name === undefined ? terminal.err : terminal.out).write(helpOf(COMMANDS));
    return name === undefined ? EXIT.invalid : EXIT.completed;
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) {
    const { sentence } = adviseName(
      name,
      COMMANDS.map((one) => one.name),
    );
    throw new WorkflowError("COMMAND_INVALID", `There is no command "${name}".${sentence} See wavepoint --help`);
  }
  if (beforeDashes(rest).some((word) => word === "--help" || word === "-h")) {
    terminal.out.write(helpOfCommand(command));
    return EXIT.completed;
  }
  return command.run(parseCall(command, rest), terminal);
}

/** The arguments that can be options. */
function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end < 0 ? args : args.slice(0, end);
}
