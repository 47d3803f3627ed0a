import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";

/** A process that leads a group of its own and does not outlive the process that started it. */
export interface GuardedProcess {
  /** Also the id of the group. */
  readonly pid: number;
  readonly stderr: Readable;
  /** As long as this pipe is open, the group lives. The system closes it in every death of its owner, kill -9 included. */
  readonly lifeline: Writable;
  /** Resolves once no process of the group is left. */
  readonly gone: Promise<void>;
  /** Ends the whole group with SIGKILL; nothing in it gets to say goodbye. Resolves when it is gone. */
  kill(): Promise<void>;
}

// One half waits for the end of the lifeline, the other for the end of the program; either takes the whole group along.
const GUARD = '(read -r line <&3; kill -9 0) & "$@" 3<&-; kill -9 0';

const GROUP_CHECK_MS = 10;

/** State letter and group of a process; undefined when it has just ended. */
function readProcess(id: string): { readonly state: string | undefined; readonly group: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name in parentheses may hold anything; state, parent and group follow it.
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, group: Number(group) };
  } catch {
    return undefined;
  }
}

/** Whether any process of the group still runs. Zombies (state Z) hold nothing and do not count. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  if (!existsSync("/proc/self/stat")) return true;
  return listGroup(group).length > 0;
}

/** The processes of a group that still run. */
export function listGroup(group: number): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    const found = /^\d+$/.test(name) ? readProcess(name) : undefined;
    return found?.group === group && found.state !== "Z";
  });
}

async function waitUntilGone(child: ChildProcess, group: number): Promise<void> {
  await new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  while (isGroupAlive(group)) await new Promise((resolve) => setTimeout(resolve, GROUP_CHECK_MS));
}

/** Starts a program under guard. Its standard output is dropped. */
export function startGuarded(command: string, args: readonly string[]): GuardedProcess {
  const child = spawn("/bin/sh", ["-c", GUARD, "guard", command, ...args], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const { pid, stderr } = child;
  if (pid === undefined || stderr === null) throw new Error(`${command} could not be started.`);
  const gone = waitUntilGone(child, pid);
  return {
    pid,
    stderr,
    lifeline: child.stdio[3] as Writable,
    gone,
    async kill() {
      if (isGroupAlive(pid)) process.kill(-pid, "SIGKILL");
      await gone;
    },
  };
}
