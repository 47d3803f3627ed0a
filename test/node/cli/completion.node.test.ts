import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS, runCommandLine } from "../../../src/node/cli/command-line.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

async function completion(shell: string) {
  const terminal = recordedTerminal();
  const code = await runCommandLine(["completion", shell], terminal);
  return { code, ...terminal.written };
}

/** What bash offers for the last of these words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await completion("bash");
  const line = ["wavepoint", ...words].map((word) => `"${word}"`).join(" ");
  const script = `${out}COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _wavepoint; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter(Boolean);
}

test("bash completes commands, and the options of each; files are left to it", async () => {
  expect(await offered("r")).toEqual(["run", "resume", "runs", "revise"]);
  expect(await offered("types", "--o")).toEqual(["--output"]);
  expect(await offered("run", "--in")).toEqual(["--input", "--inputs"]);
  expect(await offered("run", "")).toEqual([]);
});

const canRun = (shell: string): boolean => spawnSync(shell, ["-c", "exit"]).status === 0;

test("zsh reads what is written for bash, after its own completion", async () => {
  const { out } = await completion("zsh");
  expect(out).toMatch(/compinit\nbashcompinit\n_wavepoint\(\)/);
});

test.runIf(canRun("zsh"))("zsh completes in a shell that nothing was set up in, and in one that was", async () => {
  const { out } = await completion("zsh");
  const home = mkdtempSync(join(tmpdir(), "wavepoint-zsh-"));
  try {
    for (const before of ["", "autoload -Uz compinit; compinit;"]) {
      const script = `${before} eval "$1"; print -r -- "$_comps[wavepoint]"`;
      const { status, stdout, stderr } = spawnSync("zsh", ["-f", "-c", script, "zsh", out], {
        env: { ...process.env, HOME: home },
        encoding: "utf8",
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toBe("_bash_complete -o default -F _wavepoint\n");
    }
  } finally {
    rmSync(home, { recursive: true });
  }
});

test.runIf(canRun("fish"))("fish offers the options of a command, each with its words", async () => {
  const { out } = await completion("fish");
  const { status, stdout, stderr } = spawnSync("fish", ["--no-config", "-c", `${out}\ncomplete --do-complete "wavepoint run --allow-h"`], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^--allow-host\tLet blocks send requests/);
});

test("fish knows the same commands", async () => {
  const { out } = await completion("fish");
  for (const { name } of COMMANDS) expect(out).toContain(`-a ${name} -d '`);
  expect(out).toContain("complete -c wavepoint -n '__fish_seen_subcommand_from run' -l input -r -d '");
});

test("another shell is refused", async () => {
  expect(await completion("tcsh")).toMatchObject({ code: 2, out: "" });
});
