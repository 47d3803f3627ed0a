import { spawnSync } from "node:child_process";
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

test("zsh and fish know the same commands", async () => {
  expect((await completion("zsh")).out).toContain("bashcompinit\n_wavepoint()");
  const { out } = await completion("fish");
  for (const { name } of COMMANDS) expect(out).toContain(`-a ${name} -d '`);
  expect(out).toContain("complete -c wavepoint -n '__fish_seen_subcommand_from run' -l input -r -d '");
});

test("another shell is refused", async () => {
  expect(await completion("tcsh")).toMatchObject({ code: 2, out: "" });
});
