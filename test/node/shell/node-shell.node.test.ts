import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ShellCall, ShellOutcome } from "wavepoint";
import { nodeShell } from "wavepoint/node";
import { sleeping, until } from "./sleeping.ts";

let root = "";
let outside = "";

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "wavepoint-root-")));
  outside = await realpath(await mkdtemp(join(tmpdir(), "wavepoint-outside-")));
});
afterEach(async () => {
  await rm(root, { recursive: true });
  await rm(outside, { recursive: true });
});

function run(command: ShellCall["command"], more: Partial<ShellCall> = {}): Promise<ShellOutcome> {
  const signal = more.signal ?? new AbortController().signal;
  return nodeShell({ root }).run({ command, timeoutMs: 60_000, signal, ...more });
}

/** Cancels a command as soon as it has written a text. */
function runUntil(text: string, command: string): Promise<ShellOutcome> {
  const controller = new AbortController();
  return run(command, {
    signal: controller.signal,
    onOutput: (_, written) => {
      if (written.includes(text)) controller.abort();
    },
  });
}

describe("a command", () => {
  test("gives what it wrote and how it ended", async () => {
    expect(await run("printf 'a\\n'; printf b >&2; exit 3")).toEqual({ ended: "exit", exitCode: 3, stdout: "a\n", stderr: "b" });
    expect(await run("kill -9 $$")).toMatchObject({ ended: "exit", exitCode: 137 });
  });

  test("is a text for the shell, or a program that no shell sees", async () => {
    expect(await run("echo $((1 + 1))")).toMatchObject({ stdout: "2\n" });
    expect(await run(["printf", "%s", "$(touch PWNED); *\n"])).toMatchObject({ stdout: "$(touch PWNED); *\n" });
  });

  test("has nothing to read", async () => {
    expect(await run("cat")).toMatchObject({ stdout: "", exitCode: 0 });
  });

  test("sees little of the host's environment, and what the host gives it", async () => {
    process.env.HOST_SECRET = "k-123456";
    process.env.HOST_PLAIN = "plain";
    try {
      const shell = nodeShell({ root, env: { FROM_HOST: "1", BOTH: "host" }, inherit: ["HOST_PLAIN"] });
      const { stdout } = await shell.run({
        command: "env",
        env: { BOTH: "block" },
        timeoutMs: 60_000,
        signal: new AbortController().signal,
      });
      expect(stdout).toContain(`PATH=${process.env.PATH}\n`);
      expect(stdout).toContain("FROM_HOST=1\n");
      expect(stdout).toContain("BOTH=block\n");
      expect(stdout).toContain("HOST_PLAIN=plain\n");
      expect(stdout).not.toContain("HOST_SECRET");
    } finally {
      delete process.env.HOST_SECRET;
      delete process.env.HOST_PLAIN;
    }
  });

  test("tells of what it writes as it comes, characters whole", async () => {
    const pieces: [string, string][] = [];
    const { stdout } = await run("printf '\\303'; sleep 0.2; printf '\\251'; printf x >&2", {
      onOutput: (stream, text) => pieces.push([stream, text]),
    });
    expect(stdout).toBe("é");
    expect(pieces).toContainEqual(["stdout", "é"]);
    expect(pieces).toContainEqual(["stderr", "x"]);
    expect(pieces).toHaveLength(2);
  });

  test("keeps a byte order mark and line ends as they are", async () => {
    expect((await run("printf '\\357\\273\\277a\\r\\n\\n'")).stdout).toBe("\ufeffa\r\n\n");
  });

  test("fails where standard output is no text; standard error is shown as well as it can be", async () => {
    await expect(run("printf '\\377'")).rejects.toMatchObject({ code: "FILE_ENCODING" });
    expect(await run("printf '\\377' >&2")).toMatchObject({ exitCode: 0, stderr: "\ufffd" });
  });

  test("that cannot start says why", async () => {
    await expect(run(["no-such-program-anywhere"])).rejects.toMatchObject({
      code: "BLOCK_FAILED",
      message: expect.stringContaining("no such program"),
    });
    await expect(run([""])).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID" });
    await expect(run(["echo", "a\0b"])).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID" });
    const env = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`V${i}`, "x".repeat(120_000)]));
    await expect(run("true", { env })).rejects.toMatchObject({ code: "BLOCK_FAILED", message: expect.stringContaining("too long") });
  });

  test.each(["LD_PRELOAD", "ld_preload", "NODE_OPTIONS", "BASH_ENV", "PATH", "A=B", "A\nB", "", "A\0"])(
    "cannot be given the variable %j",
    async (name) => {
      await expect(run("true", { env: { [name]: "x" } })).rejects.toMatchObject({ code: "ENVIRONMENT_FORBIDDEN" });
    },
  );
});

describe("the working folder", () => {
  test("is the root, or one below it", async () => {
    await mkdir(join(root, "a/b"), { recursive: true });
    expect((await run("pwd -P")).stdout).toBe(`${root}\n`);
    expect((await run("pwd -P", { workingDir: "a/b" })).stdout).toBe(`${root}/a/b\n`);
    expect((await run("pwd", { workingDir: "./a/" })).stdout).toBe(`${root}/a\n`);
    expect((await run(["pwd"], { workingDir: "." })).stdout).toBe(`${root}\n`);
  });

  test.each(["..", "../..", "a/../..", "/", "/etc", "C:\\", "a\0b"])("is never outside: %j", async (workingDir) => {
    await expect(run("pwd", { workingDir })).rejects.toMatchObject({ code: "PATH_FORBIDDEN" });
  });

  test("may be a link to one below the root, not to one outside", async () => {
    await mkdir(join(root, "real"));
    await symlink("real", join(root, "inside"));
    await symlink(outside, join(root, "out"));
    await symlink(`${root}-sibling`, join(root, "sibling"));
    expect((await run("pwd -P", { workingDir: "inside" })).stdout).toBe(`${root}/real\n`);
    await expect(run("pwd", { workingDir: "out" })).rejects.toMatchObject({ code: "PATH_FORBIDDEN" });
    await expect(run("pwd", { workingDir: "sibling" })).rejects.toMatchObject({ code: "FILE_MISSING" });
  });

  test("must be a folder", async () => {
    await writeFile(join(root, "file"), "");
    await expect(run("pwd", { workingDir: "none" })).rejects.toMatchObject({ code: "FILE_MISSING" });
    await expect(run("pwd", { workingDir: "file" })).rejects.toMatchObject({ code: "FILE_REFUSED" });
  });

  test("stays the one that was looked at when a link is swapped in for it", async () => {
    await mkdir(join(root, "work"));
    let swapping = true;
    const swaps = (async () => {
      while (swapping) {
        await rename(join(root, "work"), join(root, "kept"));
        await symlink(outside, join(root, "work"));
        await rm(join(root, "work"));
        await rename(join(root, "kept"), join(root, "work"));
      }
    })();
    const seen = new Set<string>();
    const isInside = () => [...seen].some((place) => place.startsWith(root));
    for (let i = 0; i < 60 || (i < 2_000 && !isInside()); i++)
      seen.add(
        await run(["pwd", "-P"], { workingDir: "work" }).then(
          ({ stdout }) => stdout.trim(),
          ({ code }) => code,
        ),
      );
    swapping = false;
    await swaps;
    expect([...seen].filter((place) => place.startsWith(outside))).toEqual([]);
    expect(isInside()).toBe(true);
  });
});

describe("the end of a command", () => {
  test("is the end of what it left in the background, at once", async () => {
    expect(await run("sleep 3001 & sleep 3001 & echo started")).toMatchObject({ ended: "exit", exitCode: 0, stdout: "started\n" });
    expect(await sleeping("3001")).toEqual([]);
  });

  test("reaches processes that left the group", async () => {
    expect(await run("setsid sleep 3002 & (setsid sleep 3002 >/dev/null 2>&1 &) ; sleep 0.1; echo x")).toMatchObject({ stdout: "x\n" });
    expect(await sleeping("3002")).toEqual([]);
  });

  test("comes when its time is up", async () => {
    expect(await run("sleep 3003 & sleep 3003", { timeoutMs: 200 })).toMatchObject({ ended: "timeout", exitCode: 143 });
    expect(await sleeping("3003")).toEqual([]);
  });

  test("lets it clean up before", async () => {
    const outcome = await runUntil("up", "trap 'echo cleaned; exit 0' TERM; echo up; while :; do sleep 0.05; done");
    expect(outcome).toMatchObject({ ended: "cancelled", exitCode: 0, stdout: "up\ncleaned\n" });
  });

  test("comes also where it does not want to end", async () => {
    expect(await runUntil("up", "trap '' TERM; echo up; while :; do sleep 3009; done")).toMatchObject({
      ended: "cancelled",
      exitCode: 137,
    });
    expect(await sleeping("3009")).toEqual([]);
  });

  test("comes when it is cancelled", async () => {
    const controller = new AbortController();
    const outcome = run("sleep 3004 & sleep 3004", { signal: controller.signal });
    await until(async () => (await sleeping("3004")).length === 2);
    controller.abort();
    expect(await outcome).toMatchObject({ ended: "cancelled" });
    expect(await sleeping("3004")).toEqual([]);
    expect(await run("sleep 3004", { signal: controller.signal })).toMatchObject({ ended: "cancelled" });
  });

  test("comes when it writes too much, on both streams together", async () => {
    const { ended, stdout } = await run("yes");
    expect(ended).toBe("output");
    expect(stdout.length).toBe(10_485_760);
    const both = await run("printf 123456; printf 123456 >&2; sleep 3005", { maxOutputBytes: 10 });
    expect(both.ended).toBe("output");
    expect(both.stdout + both.stderr).toHaveLength(10);
    expect(await run("printf 1234567890", { maxOutputBytes: 10 })).toMatchObject({ ended: "exit", stdout: "1234567890" });
  });

  test("leaves no listener", async () => {
    const count = (): number => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].reduce((sum, name) => sum + process.listenerCount(name), 0);
    const before = count();
    await Promise.all([run("true"), run("sleep 0.1"), run(["no-such-program-anywhere"]).catch(() => {})]);
    expect(count()).toBe(before);
  });
});
