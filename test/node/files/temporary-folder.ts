import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(realpathSync(tmpdir()), "wavepoint-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The files and folders below this one that this process holds open. */
export function openHandlesBelow(folder: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((handle) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${handle}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      // The listing itself was open and is not any more.
      return [];
    }
  });
}
