import { readdir, readFile } from "node:fs/promises";

/** Groups of commands that run now, by the process that leads each. */
const running = new Set<number>();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** The most searches for processes that left their group: each search ends those it finds, which may have started others before. */
const MAX_LOOKS = 10;

/** The name of the variable by which a command's processes are found again. */
export const MARK = "WAVEPOINT_COMMAND";

/** Ends a group with this process. Returns a function that stops this. */
export function guardGroup(leader: number): () => void {
  if (running.size === 0) {
    process.on("exit", endAll);
    for (const signal of SIGNALS) process.on(signal, endOnSignal);
  }
  running.add(leader);
  return () => {
    running.delete(leader);
    if (running.size > 0) return;
    process.off("exit", endAll);
    for (const signal of SIGNALS) process.off(signal, endOnSignal);
  };
}

function endAll(): void {
  for (const leader of running) signalGroup(leader, "SIGKILL");
}

/**
 * A signal ends the process as it would without a listener. A host that listens itself decides on its own; its end comes through "exit".
 */
function endOnSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  endAll();
  process.off(signal, endOnSignal);
  process.kill(process.pid, signal);
}

/** Sends a signal to every process of a group. A group that is gone is none. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, signal);
  } catch {
    // Nothing is left of it.
  }
}

/**
 * Ends the processes that left the group of a command, by the mark in their environment. On Linux only; a process that has also given up
 * its environment is not found.
 */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (let look = 0; look < MAX_LOOKS; look++) {
    const found = await findMarked(mark);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has already ended.
      }
    }
  }
}

async function findMarked(mark: string): Promise<number[]> {
  // Where "/proc" is not there, none can be found.
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^[0-9]+$/.test(name));
  const found = await Promise.all(pids.map(async (pid) => ((await carries(pid, mark)) ? [Number(pid)] : [])));
  return found.flat();
}

async function carries(pid: string, mark: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/environ`)).includes(mark);
  } catch {
    return false;
  }
}
