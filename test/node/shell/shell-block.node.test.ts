import { mkdtemp, readdir, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createExecutor, type RunEvent, type RunResult, type Values } from "wavepoint";
import { nodeFiles, nodeShell } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { sleeping, until } from "./sleeping.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavepoint-block-"));
});
afterEach(async () => {
  await rm(root, { recursive: true });
});

function executor(onEvent?: (event: RunEvent) => void): ReturnType<typeof createExecutor> {
  const grants = { shell: nodeShell({ root }), files: nodeFiles({ root }) };
  return createExecutor({ store: memoryStore(), grants, ...(onEvent ? { onEvent } : {}) });
}

/** Runs blocks in YAML; what the block `a` gives are the outputs. */
async function runBlocks(blocks: string, inputs: Values = {}): Promise<RunResult> {
  const declared = Object.keys(inputs).map(
    (name) => `  ${name}: { type: ${Array.isArray(inputs[name]) ? "array" : typeof inputs[name]} }\n`,
  );
  const text = `name: it\n${declared.length > 0 ? `inputs:\n${declared.join("")}` : ""}blocks:\n${blocks}\noutputs:\n  stdout: "\${blocks.a.outputs.stdout}"\n  exit_code: "\${blocks.a.outputs.exit_code}"\n  success: "\${blocks.a.outputs.success}"\n`;
  const engine = executor();
  try {
    await engine.load(loadWorkflow(text));
    const run = await engine.start("it", inputs);
    return await run.settled();
  } finally {
    await engine.close();
  }
}

describe("Shell", () => {
  test("gives the four outputs", async () => {
    expect(await runBlocks(`  - { id: a, type: Shell, inputs: { command: "echo hi; echo no >&2" } }`)).toMatchObject({
      status: "success",
      outputs: { stdout: "hi\n", exit_code: 0, success: true },
    });
  });

  test("hands values over as data, in a command, in variables and in arguments", async () => {
    const hostile = "'; touch PWNED; \" $(touch PWNED) `touch PWNED` \n";
    const results = [
      await runBlocks(`  - { id: a, type: Shell, inputs: { command: "printf %s '\${inputs.v}'" } }`, { v: hostile }),
      await runBlocks(`  - { id: a, type: Shell, inputs: { command: 'printf %s "$V"', env: { V: "\${inputs.v}" } } }`, { v: hostile }),
      await runBlocks(`  - { id: a, type: Shell, inputs: { argv: [printf, "%s", "\${inputs.v}"] } }`, { v: hostile }),
    ];
    for (const { outputs } of results) expect(outputs?.stdout).toBe(hostile);
    expect(await readdir(root)).toEqual([]);
  });

  test("hands outputs of other commands over as data", async () => {
    const blocks = `  - { id: b, type: Shell, inputs: { command: "printf %s 'zzz\\";touch PWNED;#'" } }
  - { id: a, type: Shell, inputs: { command: "/usr/bin/env printf %s \${blocks.b.outputs.stdout}" }, depends_on: [b] }`;
    expect((await runBlocks(blocks)).outputs?.stdout).toBe('zzz";touch PWNED;#');
    expect(await readdir(root)).toEqual([]);
  });

  test("runs the program that another command found", async () => {
    const blocks = `  - { id: w, type: Shell, inputs: { command: "printf %s $(command -v cat)" } }
  - { id: a, type: Shell, inputs: { argv: ["\${blocks.w.outputs.stdout}", /dev/null] }, depends_on: [w] }`;
    expect((await runBlocks(blocks)).outputs).toMatchObject({ exit_code: 0 });
  });

  test("takes variables of the plain types, and a working directory", async () => {
    const inputs = `{ command: 'mkdir -p d && cd d && printf %s "$A $B $C"; pwd', env: { A: x, B: 2, C: true } }`;
    expect((await runBlocks(`  - { id: a, type: Shell, inputs: ${inputs} }`)).outputs?.stdout).toContain("x 2 true");
    const moved = `  - { id: m, type: Shell, inputs: { command: mkdir d } }\n  - { id: a, type: Shell, inputs: { command: pwd, working_dir: d/ }, depends_on: [m] }`;
    expect((await runBlocks(`${moved}`)).outputs).toBeUndefined();
    await rm(join(root, "d"), { recursive: true });
    expect((await runBlocks(moved)).outputs?.stdout).toMatch(/\/d\n$/);
  });

  test("fails with the exit code and the last words, and keeps its outputs for those who go on", async () => {
    const blocks = `  - { id: a, type: Shell, inputs: { command: "echo part; echo 'no such thing' >&2; exit 3" } }`;
    const result = await runBlocks(blocks);
    expect(result.error).toMatchObject({ code: "BLOCK_FAILED", message: expect.stringMatching(/exit code 3.*no such thing/s) });
    const going = `  - { id: a, type: Shell, continue_on_error: true, inputs: { command: "echo part; exit 3" } }
  - { id: b, type: EchoBlock, inputs: { message: "\${blocks.a.outputs.exit_code}\${blocks.a.outputs.stdout}" }, condition: "\${blocks.a.outputs.exit_code} == 3", depends_on: [a] }`;
    expect(await runBlocks(going)).toMatchObject({ status: "success", outputs: { exit_code: 3, stdout: "part\n", success: false } });
  });

  test("says so where a whole command line came by reference", async () => {
    const whole = runBlocks(`  - { id: a, type: Shell, inputs: { command: "\${inputs.v}" } }`, { v: "echo hi" });
    await expect(whole).rejects.toMatchObject({ code: "SHELL_UNSAFE", message: expect.stringContaining('"argv"') });
    const timed = await runBlocks(`  - { id: a, type: Shell, inputs: { command: "timeout 5 \${inputs.v}" } }`, { v: "echo hi" });
    expect(timed.error?.message).toMatch(/exit code 127.*never a command line.*"argv"/);
    const listed = await runBlocks(`  - { id: a, type: Shell, inputs: { argv: ["\${inputs.v}"] } }`, { v: "echo hi" });
    expect(listed.error?.message).toMatch(/no such program.*item of its own/);
  });

  describe("a value that would start a word as an option", () => {
    test.each([
      ['{ argv: [printf, "%s", "${inputs.v}"] }', "--to-command=id"],
      ['{ argv: [printf, "%s", "${inputs.v}/x"] }', "-n"],
      ["{ command: 'printf %s ${inputs.v}' }", "-n"],
      ["{ command: 'printf %s \"${inputs.v}\"' }", "-n"],
      ["{ command: 'printf %s $EMPTY${inputs.v}' }", "-n"],
      ["{ command: 'printf %s ${inputs.v}/x; printf -- %s y' }", "-n"],
      ["{ command: 'for v in ${inputs.v}; do printf %s \"$v\"; done' }", "-n"],
    ])("is refused: %s", async (inputs, v) => {
      const result = await runBlocks(`  - { id: a, type: Shell, inputs: ${inputs} }`, { v });
      expect(result.error).toMatchObject({ code: "SHELL_UNSAFE", message: expect.stringMatching(/"--".*options: allow/) });
      const allowed = `  - { id: a, type: Shell, inputs: ${inputs.replace(/ \}$/, ", options: allow }")} }`;
      expect((await runBlocks(allowed, { v })).outputs?.stdout).toContain(v);
    });

    test.each([
      ['{ argv: [printf, --, "%s", "${inputs.v}"] }', "-n"],
      ['{ argv: [printf, "%s", "x${inputs.v}"] }', "x-n"],
      ["{ command: 'printf -- %s ${inputs.v}' }", "-n"],
      ["{ command: 'printf %s x${inputs.v}' }", "x-n"],
      ["{ command: 'v=${inputs.v}; printf %s \"$v\"' }", "-n"],
    ])("is taken where it cannot be one: %s", async (inputs, written) => {
      expect((await runBlocks(`  - { id: a, type: Shell, inputs: ${inputs} }`, { v: "-n" })).outputs?.stdout).toBe(written);
    });

    test("is refused in a list that is one value", async () => {
      const inputs = { v: ["printf", "--", "%s", "-n"] };
      expect((await runBlocks(`  - { id: a, type: Shell, inputs: { argv: "\${inputs.v}" } }`, inputs)).error?.code).toBe("SHELL_UNSAFE");
      const allowed = `  - { id: a, type: Shell, inputs: { argv: "\${inputs.v}", options: allow } }`;
      expect((await runBlocks(allowed, inputs)).outputs?.stdout).toBe("-n");
    });
  });

  test("has a time of its own", async () => {
    const result = await runBlocks(`  - { id: a, type: Shell, inputs: { command: "sleep 3101", timeout: 0.2 } }`);
    expect(result.error).toMatchObject({ code: "BLOCK_TIMEOUT" });
    expect(await sleeping("3101")).toEqual([]);
  });

  test("is ended when it writes too much", async () => {
    const result = await runBlocks(`  - { id: a, type: Shell, inputs: { command: "yes", capture_output: false } }`);
    expect(result.error).toMatchObject({ code: "LIMIT_EXCEEDED" });
  });

  test("keeps no output where none is wanted", async () => {
    const result = await runBlocks(`  - { id: a, type: Shell, inputs: { command: "echo hi", capture_output: false } }`);
    expect(result.outputs).toMatchObject({ stdout: "", exit_code: 0 });
  });

  test("ends when its run is cancelled", async () => {
    const engine = executor();
    await engine.load(loadWorkflow(`name: it\nblocks:\n  - { id: a, type: Shell, inputs: { command: "sleep 3102 & sleep 3102" } }`));
    const run = await engine.start("it", {});
    await until(async () => (await sleeping("3102")).length === 2);
    await run.cancel();
    expect(run.getSnapshot().status).toBe("cancelled");
    await until(async () => (await sleeping("3102")).length === 0);
    await engine.close();
  });

  test("tells those who listen what it writes", async () => {
    const lines: string[] = [];
    const engine = executor((event) => {
      if (event.type === "output") lines.push(`${event.block} ${event.stream} ${event.text}`);
    });
    await engine.load(loadWorkflow(`name: it\nblocks:\n  - { id: a, type: Shell, inputs: { command: "echo out; echo err >&2" } }`));
    const run = await engine.start("it", {});
    await run.settled();
    await engine.close();
    expect(lines.toSorted()).toEqual(["a stderr err\n", "a stdout out\n"]);
  });

  test("has a folder to itself where it speaks of one", async () => {
    const result = await runBlocks(`  - { id: a, type: Shell, inputs: { command: 'echo x > "$SCRATCH/f" && cat "$SCRATCH/f"; ls' } }`);
    expect(result.outputs).toMatchObject({ stdout: "x\n", success: true });
  });
});

describe("refused when it is loaded:", () => {
  test.each([
    ["both ways to say it", "{ command: a, argv: [a] }", "BLOCK_INPUT_INVALID"],
    ["no way to say it", "{ timeout: 1 }", "BLOCK_INPUT_INVALID"],
    ["an empty program", '{ argv: [""] }', "BLOCK_INPUT_INVALID"],
    ["no arguments at all", "{ argv: [] }", "BLOCK_INPUT_INVALID"],
    ["no time", "{ command: a, timeout: 0 }", "BLOCK_INPUT_INVALID"],
    ["an unknown input", "{ command: a, cwd: x }", "BLOCK_INPUT_INVALID"],
    ["a value in a script", '{ command: "sh -c \\"${inputs.v}\\"" }', "SHELL_UNSAFE"],
    ["a value in a script given as an argument", '{ argv: [bash, -c, "${inputs.v}"] }', "SHELL_UNSAFE"],
    ["a value in a script behind others", '{ argv: [sudo, /bin/sh, -ec, "echo ${inputs.v}"] }', "SHELL_UNSAFE"],
    ["a value for another machine", '{ argv: [ssh, host, "${inputs.v}"] }', "SHELL_UNSAFE"],
    ["a value for a text that env makes a command of", '{ argv: [env, -S, "sh -c ${inputs.v}"] }', "SHELL_UNSAFE"],
    ["a value in a script behind options", '{ argv: [bash, -o, pipefail, -c, "${inputs.v}"] }', "SHELL_UNSAFE"],
    ["a value that is an option of a shell", '{ argv: [sh, "${inputs.v}", x] }', "SHELL_UNSAFE"],
    ["a variable that is parsed", `{ command: 'eval "$V"', env: { V: "\${inputs.v}" } }`, "SHELL_UNSAFE"],
    ["variables that are one value", `{ command: 'eval "$V"', env: "\${inputs.o}" }`, "SHELL_UNSAFE"],
    ["no word for options", "{ command: a, options: maybe }", "BLOCK_INPUT_INVALID"],
    ["a loader variable", "{ command: a, env: { LD_PRELOAD: ./evil.so } }", "ENVIRONMENT_FORBIDDEN"],
    ["a variable of Node", '{ command: a, env: { node_options: "${inputs.v}" } }', "ENVIRONMENT_FORBIDDEN"],
    ["a name of ours", "{ command: a, env: { WAVEPOINT_1: x } }", "ENVIRONMENT_FORBIDDEN"],
    ["a name with a line end", '{ command: a, env: { "A\\nB": x } }', "ENVIRONMENT_FORBIDDEN"],
    ["a name with =", '{ command: a, env: { "A=B": x } }', "ENVIRONMENT_FORBIDDEN"],
    ["no name", '{ command: a, env: { "": x } }', "ENVIRONMENT_FORBIDDEN"],
    ["a folder outside", "{ command: a, working_dir: ../../.. }", "PATH_FORBIDDEN"],
  ])("%s", async (_, inputs, code) => {
    const text = `name: it\ninputs: { v: { type: string, default: x }, o: { type: object, default: {} } }\nblocks:\n  - { id: a, type: Shell, inputs: ${inputs} }`;
    const engine = executor();
    await expect((async () => engine.load(loadWorkflow(text)))()).rejects.toMatchObject({ code });
    await engine.close();
  });

  test("a command that was not granted", async () => {
    const engine = createExecutor({ store: memoryStore() });
    const workflow = loadWorkflow(`name: it\nblocks:\n  - { id: a, type: Shell, inputs: { command: ls } }`);
    await expect(engine.load(workflow)).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  });
});

test("a script that is given as an argument takes values after it", async () => {
  const result = await runBlocks(`  - { id: a, type: Shell, inputs: { argv: [sh, -c, 'printf %s "$1"', sh, "\${inputs.v}"] } }`, {
    v: "$(touch PWNED)",
  });
  expect(result.outputs?.stdout).toBe("$(touch PWNED)");
});

test("an absolute folder is taken below the root", async () => {
  const inside = await runBlocks(`  - { id: a, type: Shell, inputs: { command: pwd, working_dir: ${root} } }`);
  expect(inside.outputs?.stdout).toBe(`${await realpath(root)}\n`);
});

test.each(["/etc", "/etc/passwd", "/no/such/folder"])(
  "an absolute folder outside of the root is refused without a look at it: %s",
  async (folder) => {
    const written = await runBlocks(`  - { id: a, type: Shell, inputs: { command: pwd, working_dir: ${folder} } }`);
    const given = await runBlocks(`  - { id: a, type: Shell, inputs: { command: pwd, working_dir: "\${inputs.v}" } }`, { v: folder });
    for (const { error } of [written, given]) expect(error).toMatchObject({ code: "PATH_FORBIDDEN" });
  },
);

test("an absolute folder is taken by the name of the root and by the one that a link to the root leads to", async () => {
  const { signal } = new AbortController();
  const link = `${root}-link`;
  await symlink(root, link);
  try {
    const shell = nodeShell({ root: link });
    for (const folder of [link, await realpath(root)]) {
      expect((await shell.run({ command: ["pwd", "-P"], workingDir: folder, timeoutMs: 10_000, signal })).stdout).toBe(
        `${await realpath(root)}\n`,
      );
    }
    const call = nodeShell({ root }).run({ command: ["pwd"], workingDir: link, timeoutMs: 10_000, signal });
    await expect(call).rejects.toMatchObject({ code: "PATH_FORBIDDEN" });
  } finally {
    await rm(link);
  }
});

describe("names in capitals that the workflow does not declare are the shell's own", () => {
  test.each([
    ["${HOME}", 'printf %s "$HOME"'],
    ["${PACKAGE:-none}", "printf none"],
    ["${PACKAGE:=it}-$PACKAGE", "printf it-it"],
    ["${HOME%/*}", 'printf %s "$${HOME%/*}"'],
    ["$${HOME}", 'printf %s "$HOME"'],
  ])("%s", async (written, same) => {
    const value = await runBlocks(`  - { id: a, type: Shell, inputs: { command: 'printf %s "${written}"' } }`);
    const expected = await runBlocks(`  - { id: a, type: Shell, inputs: { command: '${same}' } }`);
    expect(value.outputs?.stdout).toBe(expected.outputs?.stdout);
  });

  test("beside a reference", async () => {
    const block = `  - { id: a, type: Shell, inputs: { command: 'printf "%s " "\${HOME:+home}" \${inputs.v} \${X:-y}' } }`;
    expect((await runBlocks(block, { v: "$(id)" })).outputs?.stdout).toBe("home $(id) y ");
  });

  test("declared names stay references", async () => {
    const block = `  - { id: a, type: Shell, inputs: { command: 'printf %s "\${HOME}"' } }`;
    expect((await runBlocks(block, { HOME: "an input" })).outputs?.stdout).toBe("an input");
  });

  test("other inputs have none", async () => {
    const text = "name: it\nblocks:\n  - { id: a, type: Shell, inputs: { argv: [echo, '${HOME}'] } }";
    expect((await checkWorkflow(text)).problems).toMatchObject([{ code: "REFERENCE_UNKNOWN", severity: "error" }]);
  });
});

test("a folder given at run time is looked at as well", async () => {
  const result = await runBlocks(`  - { id: a, type: Shell, inputs: { command: pwd, working_dir: "\${inputs.v}" } }`, { v: "../.." });
  expect(result.error).toMatchObject({ code: "PATH_FORBIDDEN" });
});
