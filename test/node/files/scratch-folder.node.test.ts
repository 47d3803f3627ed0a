import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ScratchFolder } from "wavepoint";
import { nodeFiles } from "wavepoint/node";
import { read } from "../../support/file-attempt.ts";
import { temporaryFolder } from "./temporary-folder.ts";

async function scratch(): Promise<ScratchFolder> {
  const folder = await nodeFiles({ root: temporaryFolder() }).scratch!();
  onTestFinished(() => folder.remove());
  return folder;
}

describe("a folder of a step", () => {
  test("is new, empty and private", async () => {
    const [one, other] = [await scratch(), await scratch()];
    expect(one.path).not.toBe(other.path);
    expect(statSync(one.path).mode & 0o777).toBe(0o700);
  });

  test("gives what was left in it", async () => {
    const folder = await scratch();
    mkdirSync(join(folder.path, "a"));
    writeFileSync(join(folder.path, "a/result.txt"), "42");
    expect(await read(folder, "a/result.txt")).toBe("42");
    expect(await read(folder, "a/none")).toBe("FILE_MISSING");
  });

  test("is read with the same care as other files", async () => {
    const folder = await scratch();
    symlinkSync("/etc/passwd", join(folder.path, "link"));
    symlinkSync("/etc", join(folder.path, "etc"));
    execFileSync("mkfifo", [join(folder.path, "pipe")]);
    writeFileSync(join(folder.path, "large"), "12345");
    for (const path of ["link", "etc/passwd", "pipe", "."])
      expect(await read(folder, path), path).toMatch(/^(?:FILE_REFUSED|PATH_FORBIDDEN)$/);
    for (const path of ["../x", "/etc/passwd"]) expect(await read(folder, path), path).toBe("PATH_FORBIDDEN");
    expect(await read(folder, "large", { maxBytes: 4 })).toBe("FILE_REFUSED");
  });

  test("is gone with all that is in it, and what links in it lead to stays", async () => {
    const kept = temporaryFolder();
    writeFileSync(join(kept, "file"), "1");
    const folder = await scratch();
    mkdirSync(join(folder.path, "deep/deeper"), { recursive: true });
    symlinkSync(kept, join(folder.path, "deep/link"));
    await folder.remove();
    expect(existsSync(folder.path)).toBe(false);
    expect(existsSync(join(kept, "file"))).toBe(true);
    await folder.remove();
  });
});
