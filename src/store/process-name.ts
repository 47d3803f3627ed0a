import { readFileSync } from "node:fs";

const NAME = /^[1-9]\d*( \d+)?$/;

/** The name of this process. It does not change. */
let self: string | undefined;

/** Returns the name of this process for others on this machine: its number and, if the system says it (Linux), the moment it started. */
export function nameOfProcess(): string {
  return (self ??= nameBy(process.pid, readStatus(process.pid)));
}

/** Whether the process that {@link nameOfProcess} named is still alive. A text that is no such name was never written completely: there is no process. */
export function isAlive(name: string): boolean {
  if (!NAME.test(name)) return false;
  const pid = Number(name.split(" ")[0]);
  // Most claims that a process meets are its own, and asking the system for each costs a file.
  const now = pid === process.pid ? nameOfProcess() : findProcess(pid);
  return now !== undefined && (now === `${pid}` || !name.includes(" ") || now === name);
}

/** Returns the name of another process; nothing if it is gone. */
function findProcess(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ESRCH") return undefined;
  }
  const status = readStatus(pid);
  // A zombie: a dead process keeps its number until its parent waits for it.
  return status?.[0] === "Z" ? undefined : nameBy(pid, status);
}

/** Numbers come back, so the moment of the start belongs to the name. */
function nameBy(pid: number, status: readonly string[] | undefined): string {
  const startedAt = status?.[19];
  return startedAt === undefined ? `${pid}` : `${pid} ${startedAt}`;
}

/** Reads the state of a process and the numbers behind it, if the system says them (Linux). */
function readStatus(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return undefined;
  }
}
