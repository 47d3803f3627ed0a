import { readFileSync } from "node:fs";

const NAME = /^[1-9]\d*( \d+)?$/;

/** The name of this process. It stays who it is. */
let self: string | undefined;

/** Names this process for others on this machine: its number and, where the system tells (Linux), the moment it started. */
export function nameOfProcess(): string {
  return (self ??= nameBy(process.pid, readStatus(process.pid)));
}

/** Whether the process that {@link nameOfProcess} named is still there. What is no such name was never written to its end: nothing is there. */
export function isAlive(name: string): boolean {
  if (!NAME.test(name)) return false;
  const pid = Number(name.split(" ")[0]);
  // Most claims that a process meets are its own, and asking the system for each costs a file.
  const now = pid === process.pid ? nameOfProcess() : findProcess(pid);
  return now !== undefined && (now === `${pid}` || !name.includes(" ") || now === name);
}

/** The name of another process; nothing where it is gone. */
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

/** The state of a process and the numbers behind it, where the system tells (Linux). */
function readStatus(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return undefined;
  }
}
