import { mkdtemp, rm } from "node:fs/promises";
import type * as FsPromises from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nodeShell } from "wavepoint/node";

// A system without /proc: every address below it is missing for the package, even if this machine has it.
vi.mock("node:fs/promises", async (load) => {
  const real = await load<typeof FsPromises>();
  const hidden =
    <Arguments extends readonly unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (!String(given[0]).startsWith("/proc")) return work(...given);
      throw Object.assign(new Error(`ENOENT: no such file or directory, ${String(given[0])}`), { code: "ENOENT" });
    };
  const { open, readlink, readdir, readFile, realpath, stat, lstat } = real;
  const names = { open, readlink, readdir, readFile, realpath, stat, lstat } as unknown as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >;
  return { ...real, ...Object.fromEntries(Object.entries(names).map(([name, work]) => [name, hidden(work)])) };
});

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavepoint-no-proc-"));
});
afterEach(async () => {
  await rm(root, { recursive: true });
});

test("commands run where there is no /proc", async () => {
  const shell = nodeShell({ root });
  const call = { timeoutMs: 10_000, signal: new AbortController().signal };
  expect(await shell.run({ ...call, command: "mkdir d; echo hi" })).toMatchObject({ exitCode: 0, stdout: "hi\n" });
  expect(await shell.run({ ...call, command: ["pwd"], workingDir: "d" })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/\/d\n$/),
  });
  await shell.run({ ...call, command: ["ln", "-s", "/etc", "out"] });
  await expect(shell.run({ ...call, command: ["pwd"], workingDir: "out" })).rejects.toMatchObject({ code: "PATH_FORBIDDEN" });
});
