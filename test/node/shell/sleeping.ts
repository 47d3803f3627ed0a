import { readdir, readFile } from "node:fs/promises";

/** Processes that sleep for this many seconds, a number that no other test uses. */
export async function sleeping(seconds: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^[0-9]+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (line === `sleep\0${seconds}\0`) found.push(pid);
  }
  return found;
}

/** Waits for a condition; the time of the test bounds it. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
