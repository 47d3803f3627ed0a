import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createExecutor, type RunEvent, type RunResult, type Values } from "wavepoint";
import { nodeFiles, nodeShell } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
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
  - { id: w, type: Shell, inputs: { command: "command -v printf || which printf" } }
  - { id: a, type: Shell, inputs: { command: "\${blocks.w.outputs.stdout} %s \${blocks.b.outputs.stdout}" }, depends_on: [b, w] }`;
    expect((await runBlocks(blocks)).status).toBe("failure");
    const other = blocks.replace("${blocks.w.outputs.stdout} %s", "/usr/bin/env printf %s");
    expect((await runBlocks(other)).outputs?.stdout).toBe('zzz";touch PWNED;#');
    expect(await readdir(root)).toEqual([]);
  });

  test("runs the program that another command found", async () => {
    const blocks = `  - { id: w, type: Shell, inputs: { command: "command -v cat" } }
  - { id: a, type: Shell, inputs: { command: "\${blocks.w.outputs.stdout} -- /dev/null" }, depends_on: [w] }`;
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
    const result = await runBlocks(`  - { id: a, type: Shell, inputs: { command: "\${inputs.v}" } }`, { v: "echo hi" });
    expect(result.error?.message).toContain("name of one program");
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
    const heard: string[] = [];
    const engine = executor((event) => {
      if (event.type === "output") heard.push(`${event.block} ${event.stream} ${event.text}`);
    });
    await engine.load(loadWorkflow(`name: it\nblocks:\n  - { id: a, type: Shell, inputs: { command: "echo out; echo err >&2" } }`));
    const run = await engine.start("it", {});
    await run.settled();
    await engine.close();
    expect(heard.toSorted()).toEqual(["a stderr err\n", "a stdout out\n"]);
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
    ["a loader variable", "{ command: a, env: { LD_PRELOAD: ./evil.so } }", "ENVIRONMENT_FORBIDDEN"],
    ["a variable of Node", '{ command: a, env: { node_options: "${inputs.v}" } }', "ENVIRONMENT_FORBIDDEN"],
    ["a name of ours", "{ command: a, env: { WAVEPOINT_1: x } }", "ENVIRONMENT_FORBIDDEN"],
    ["a name with a line end", '{ command: a, env: { "A\\nB": x } }', "ENVIRONMENT_FORBIDDEN"],
    ["a name with =", '{ command: a, env: { "A=B": x } }', "ENVIRONMENT_FORBIDDEN"],
    ["no name", '{ command: a, env: { "": x } }', "ENVIRONMENT_FORBIDDEN"],
    ["a folder outside", "{ command: a, working_dir: ../../.. }", "PATH_FORBIDDEN"],
    ["an absolute folder", "{ command: a, working_dir: /etc }", "PATH_FORBIDDEN"],
  ])("%s", async (_, inputs, code) => {
    const text = `name: it\ninputs: { v: { type: string, default: x } }\nblocks:\n  - { id: a, type: Shell, inputs: ${inputs} }`;
    const engine = executor();
    await expect((async () => engine.load(loadWorkflow(text)))()).rejects.toMatchObject({ code });
    await engine.close();
  });

  test("a command that nobody granted", async () => {
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

test("a folder given at run time is looked at as well", async () => {
  const result = await runBlocks(`  - { id: a, type: Shell, inputs: { command: pwd, working_dir: "\${inputs.v}" } }`, { v: "../.." });
  expect(result.error).toMatchObject({ code: "PATH_FORBIDDEN" });
});
