import { spawn, type ChildProcessByStdio } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { WorkflowError } from "../../core/model/errors.ts";
import type { ShellCall, ShellOutcome } from "../../core/ports/shell.ts";
import { readOutput } from "./output-reader.ts";
import { endMarked, guardGroup, MARK, signalGroup } from "./process-group.ts";

/** How long a command may take to end after it was asked to. */
const GRACE_MS = 1_000;
/** How long streams may stay open after everything that is known of a command is gone. */
const DRAIN_MS = 1_000;

type Process = ChildProcessByStdio<null, Readable, Readable>;

export interface ProcessCall extends Pick<ShellCall, "timeoutMs" | "signal" | "onOutput"> {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly maxBytes: number;
}

/** Runs a program in its own process group, and resolves once none of its processes is left. Throws `BLOCK_FAILED` if it does not start. */
export async function runProcess(call: ProcessCall): Promise<ShellOutcome> {
  // Commands of a command carry the marks of both.
  const mark = `${process.env[MARK] ?? ""}/${randomUUID()}`;
  const child = await start(call, { ...call.env, [MARK]: mark });
  const leader = child.pid!;
  const release = guardGroup(leader);
  let ended: ShellOutcome["ended"] = "exit";
  let kill: NodeJS.Timeout | undefined;
  const end = (reason: ShellOutcome["ended"]): void => {
    if (kill !== undefined) return;
    ended = reason;
    signalGroup(leader, "SIGTERM");
    kill = setTimeout(() => signalGroup(leader, "SIGKILL"), GRACE_MS);
  };
  const timer = setTimeout(() => end("timeout"), call.timeoutMs);
  const cancel = (): void => end("cancelled");
  call.signal.addEventListener("abort", cancel, { once: true });
  if (call.signal.aborted) cancel();
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const output = readOutput(child, {
    maxBytes: call.maxBytes,
    onText: (stream, text) => call.onOutput?.(stream, text),
    onFull: () => end("output"),
  });
  try {
    const exitCode = await exitOf(child);
    clearTimeout(timer);
    signalGroup(leader, "SIGKILL");
    await endMarked(mark);
    await drained(child, closed);
    if (output.isFull) ended = "output";
    return { ended, exitCode, stdout: output.text("stdout"), stderr: output.text("stderr") };
  } finally {
    clearTimeout(timer);
    clearTimeout(kill);
    call.signal.removeEventListener("abort", cancel);
    release();
  }
}

function start({ program, args, cwd }: ProcessCall, env: Record<string, string>): Promise<Process> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => reject(notStarted(program, cause));
    try {
      const child = spawn(program, args, { cwd, env, detached: true, shell: false, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
      child.once("error", fail);
      child.once("spawn", () => {
        child.off("error", fail);
        child.on("error", () => {});
        resolve(child);
      });
    } catch (thrown) {
      fail(thrown);
    }
  });
}

function notStarted(program: string, cause: unknown): WorkflowError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason =
    code === "ENOENT"
      ? `there is no such program${/\s/.test(program.trim()) ? '. In "argv" each argument is an item of its own' : ""}`
      : code === "EACCES"
        ? "it may not be executed"
        : code === "E2BIG"
          ? "its arguments and variables are too long together; write them to a file and pass its path"
          : message;
  return new WorkflowError("BLOCK_FAILED", `The program ${JSON.stringify(program)} could not be started: ${reason}.`, { cause });
}

function exitOf(child: Process): Promise<number> {
  const code = (exit: number | null, signal: NodeJS.Signals | null): number => exit ?? 128 + (signal ? constants.signals[signal] : 0);
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(code(child.exitCode, child.signalCode));
  return new Promise((resolve) => child.once("exit", (exit, signal) => resolve(code(exit, signal))));
}

/** Waits for the ends of the streams; a process that hid itself may hold them open. */
async function drained(child: Process, closed: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([closed, late]);
  clearTimeout(timer);
  child.stdout.destroy();
  child.stderr.destroy();
}
