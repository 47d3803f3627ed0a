import type { PlatformSignal } from "./host.ts";

/**
 * Commands a host grants. An implementation starts each command in a process group of its own and ends the whole group when time is up, the
 * signal aborts or too much is written; nothing of it is left when `run` settles. It throws `PATH_FORBIDDEN`, `FILE_MISSING` and
 * `FILE_REFUSED` for the folder, `ENVIRONMENT_FORBIDDEN`, `BLOCK_INPUT_INVALID`, `SHELL_UNSAFE`, `BLOCK_FAILED` where the command could not
 * be started, and `FILE_ENCODING` for standard output that is no UTF-8.
 */
export interface Shell {
  run(call: ShellCall): Promise<ShellOutcome>;
}

/** A command that a block wants to run. */
export interface ShellCall {
  /** A text for `sh -c`, or a program with its arguments, which no shell sees. */
  readonly command: string | readonly string[];
  /** Relative to the root. Default: the root. */
  readonly workingDir?: string;
  /** Added to the small environment the host gives. Names that make programs load code are refused. */
  readonly env?: { readonly [name: string]: string };
  readonly timeoutMs: number;
  /** Standard output and standard error together. Default and most: 10 MB. */
  readonly maxOutputBytes?: number;
  readonly signal: PlatformSignal;
  /** Told of each piece as it comes, as text. */
  onOutput?(stream: OutputStream, text: string): void;
}

/** Where a command writes. */
export type OutputStream = "stdout" | "stderr";

/** What became of a command. */
export interface ShellOutcome {
  readonly stdout: string;
  readonly stderr: string;
  /** What ended the command: its own end, with the exit code (128 + n after signal n), or the runner. */
  readonly ended: "exit" | "timeout" | "cancelled" | "output";
  readonly exitCode: number;
}
