import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExecutor, type Shell, type ShellCall, type ShellOutcome } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";

/** The shells of this machine that a command may meet as `sh`. */
const SHELLS = (["dash", "bash", "bash --posix", "busybox sh"] as const).filter((shell) => {
  const [program, ...args] = shell.split(" ") as [string, ...string[]];
  return spawnSync(program, [...args, "-c", ":"]).status === 0;
});
const TIMEOUT_MS = 5_000;
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
/** Each template meets one of the values, in turn, in one of two shells, in turn; in the long tier all of them in all shells. */

let folder = "";
/** Is there once a shell parsed a value. */
let mark = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavepoint-templates-"));
  mark = join(folder, "PARSED");
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function templates(name: string): readonly string[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text.split("\n").filter((line, i) => line !== "" && !(i < 3 && line.startsWith("# ") && !line.startsWith("# $")));
}

/** Pairs of values that leave the mark where a shell parses one of them, alone or together. No blanks, so that splitting keeps them whole. */
function canaries(): readonly { readonly x: string; readonly y: string }[] {
  const run = `>${mark}`;
  return [
    { x: `$(${run})`, y: `;${run};` },
    { x: `a[$(${run})]`, y: `a[$(${run})]` },
    { x: "-v", y: `a[$(${run})]` },
    { x: `-va[$(${run})]`, y: `x[$(${run})]+1` },
    { x: `-pa[$(${run})]`, y: `\`${run}\`` },
    { x: `-v\ta[$(${run})]`, y: `1\t-o\t-v\ta[$(${run})]` },
    { x: `';${run};'`, y: `";${run};"` },
    { x: `\n${run}\n`, y: `EOF\n${run}\n` },
    { x: "-c", y: run },
    { x: "eval", y: run },
    { x: "sh", y: `-c${run}` },
    { x: `x PS4=$(${run})`, y: `PS4=$(${run})` },
    { x: `() { :; }; ${run}`, y: `$((a[$(${run})]))` },
    { x: `x) ${run};; y`, y: `) ${run} (` },
    { x: `||${run}`, y: `}&${run}` },
  ];
}

function workflow(command: string, name = "it"): string {
  const each = command.replaceAll(/(?<!\$)\$\{([xy])\}/g, "${each.value.$1}").replaceAll("⏎", "\n");
  const block = {
    id: "a",
    type: "Shell",
    for_each: "${inputs.values}",
    max_parallel: 4,
    continue_on_error: true,
    inputs: { command: each, env: { T: "${each.value.x}" }, options: "allow" },
  };
  return JSON.stringify({ name, inputs: { values: { type: "array" } }, blocks: [block] });
}

/** A grant that runs commands in one of the shells. */
function grantOf(shell: string): Shell {
  return {
    run: async (call: ShellCall): Promise<ShellOutcome> => {
      const [program, ...args] = shell.split(" ") as [string, ...string[]];
      const cwd = await mkdtemp(join(folder, "run-"));
      const child = spawn(program, [...args, "-c", call.command as string], {
        cwd,
        env: { PATH: "/usr/bin:/bin", HOME: cwd, ...call.env },
        stdio: "ignore",
        timeout: TIMEOUT_MS,
        killSignal: "SIGKILL",
      });
      const exitCode = await new Promise<number>((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code) => resolve(code ?? 137));
      });
      return { ended: "exit", exitCode, stdout: "", stderr: "" };
    },
  };
}

test("there are dash and bash to try, and some hundreds of templates", () => {
  expect(SHELLS).toEqual(expect.arrayContaining(["dash", "bash"]));
  expect(templates("refused.txt").length).toBeGreaterThan(500);
  expect(templates("taken.txt").length).toBeGreaterThan(200);
});

/** Ways in which bash parses a value, `$X` or `$Y`. */
const WAYS = [
  'eval "$X"',
  "eval \": '$X'\"",
  'eval ": \\"$Y\\""',
  'eval "case x in $X) :;; esac"',
  'eval "cat <<EOF\n$Y\nEOF"',
  'sh -c "$Y"',
  'sh "$X" "$Y"',
  '"$X" "$Y"',
  ": $(($X))",
  'let "$Y"',
  "a[$X]=1",
  '[ -v "$Y" ]',
  '[ "$X" "$Y" ]',
  "[ $X ]",
  'printf "$X" x',
  "RANDOM=$X",
  'read "$X" </dev/null',
  "PS4=$Y; set -x; :",
  "export $X; set -x; :",
  'declare -i n="$X"',
  'trap "$Y" EXIT',
  'mapfile -C "$Y" -c 1 a <<<x',
  'printf %s "$X" | sh',
];

test.each(WAYS)("a mark shows that a value was parsed: %s", async (script) => {
  for (const { x, y } of canaries()) {
    spawnSync("bash", ["-c", script], { cwd: folder, env: { PATH: "/usr/bin:/bin", X: x, Y: y } });
    if (existsSync(mark)) break;
  }
  expect(existsSync(mark)).toBe(true);
  await rm(mark);
});

test("S5: each template in which a shell could parse a value is refused when it is loaded", async () => {
  const engine = createExecutor({ store: memoryStore(), grants: { shell: grantOf("dash") } });
  const taken: string[] = [];
  for (const [i, command] of templates("refused.txt").entries()) {
    const code = await engine.load(loadWorkflow(workflow(command, `t${i}`))).then(
      () => "none",
      (error: { readonly code: string }) => error.code,
    );
    if (code !== "SHELL_UNSAFE") taken.push(`${code}: ${command}`);
  }
  expect(taken).toEqual([]);
  await engine.close();
});

describe.each((IS_LONG ? SHELLS : SHELLS.slice(0, 2)).map((shell, turn) => [shell, turn] as const))("%s", (shell, turn) => {
  test("S5: parses no value in any of the others", { timeout: 600_000 }, async () => {
    const parsed: string[] = [];
    for (const [i, command] of templates("taken.txt").entries()) {
      if (!IS_LONG && i % 2 !== turn) continue;
      const values = canaries().filter((_, at, all) => IS_LONG || at === (i >> 1) % all.length);
      const engine = createExecutor({ store: memoryStore(), grants: { shell: grantOf(shell) } });
      await engine.load(loadWorkflow(workflow(command)));
      await (await engine.start("it", { values })).settled();
      await engine.close();
      if (existsSync(mark)) parsed.push(command);
      await rm(mark, { force: true });
    }
    expect(parsed).toEqual([]);
  });
});
